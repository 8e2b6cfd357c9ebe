import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';
import { AtollError } from '../../errors.ts';
import { presentable } from '../http/answers/failure.ts';

/** Receives errors that are not meant for the caller. */
export type Report = (error: unknown) => void;

/** Whether the caller is at fault: syntax, validation and variables, found before or while arguments are read. */
const isRequestError = ({ originalError }: GraphQLError): boolean =>
  !originalError || (originalError instanceof GraphQLError && originalError.nodes !== undefined);

/** Every error that leaves by GraphQL has a code. */
export function formatError(error: GraphQLError, report: Report): GraphQLFormattedError {
  const { message, locations, path, extensions } = error.toJSON();
  const place = { ...(locations && { locations }), ...(path && { path }) };
  if (isRequestError(error)) return { message, ...place, extensions: { code: 'BAD_INPUT', ...extensions } };
  const shown = presentable(error.originalError);
  if (shown.code === 'INTERNAL') report(error.originalError);
  return { message: shown.message, ...place, extensions: { code: shown.code, ...shown.details } };
}

export const badInput = (message: string): GraphQLFormattedError => ({ message, extensions: { code: 'BAD_INPUT' } });

export interface FormattedResult {
  data?: ExecutionResult['data'];
  errors?: GraphQLFormattedError[];
  extensions?: ExecutionResult['extensions'];
}

/** An error without a path concerns the request as a whole: whatever a scalar threw, the variables were wrong. */
const isOfField = ({ path, originalError }: GraphQLError) => path !== undefined || originalError instanceof AtollError;

export function formatResult({ data, errors, extensions }: ExecutionResult, report: Report): FormattedResult {
  if (!errors) return extensions ? { data, extensions } : { data };
  const formatted = errors.map((e) =>
    isOfField(e) ? formatError(e, report) : { ...e.toJSON(), ...badInput(e.message) },
  );
  if (data === undefined) return { errors: formatted };
  return { errors: formatted, data, ...(extensions && { extensions }) };
}

/** What a subscription threw while it ran. */
export function formatThrown(error: unknown, report: Report): GraphQLFormattedError {
  const original = error instanceof Error ? error : new Error(String(error));
  return formatError(
    error instanceof GraphQLError ? error : new GraphQLError(original.message, { originalError: original }),
    report,
  );
}
