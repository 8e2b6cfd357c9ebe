/** Refusals: one schema for each error code. */
import { type TProperties, Type } from 'typebox';
import { type ErrorCode, STATUS } from '../../../errors.ts';
import { SCOPES } from '../../../players/player.ts';

export const PROBLEM_TYPE = 'application/problem+json';

export const CODES = Object.keys(STATUS) as ErrorCode[];

const common = (code: ErrorCode) => ({
  type: Type.Literal('about:blank'),
  title: Type.String({ description: 'The name of the status.' }),
  status: Type.Integer({ description: 'The status of the answer.' }),
  code: Type.Literal(code),
  detail: Type.String({ description: 'A sentence that helps.' }),
});

const retryAfter = Type.Optional(
  Type.Integer({ description: 'How many seconds to wait; also in the header Retry-After.' }),
);
const version = Type.Optional(Type.Integer({ description: 'The current version of the match.' }));

/** The fields that some codes add to the sentence. */
const MORE: Partial<Record<ErrorCode, TProperties>> = {
  BAD_INPUT: {
    in: Type.Optional(Type.String({ description: 'body, querystring, params or headers.' })),
    field: Type.Optional(Type.String({ description: 'The field that is wrong.' })),
    version,
  },
  FORBIDDEN: {
    scope: Type.Optional(Type.Enum([...SCOPES], { description: 'The scope that the token lacks.' })),
  },
  STALE_VERSION: { version },
  ACTION_ID_REUSED: { version },
  CANNOT_UNDO: { reason: Type.Optional(Type.String({ description: 'Why, in one word.' })) },
  HISTORY_CUT: { version },
  RATE_LIMITED: { retryAfter },
  QUOTA_EXCEEDED: {
    quota: Type.String({ description: 'Which quota.' }),
    limit: Type.Integer({ description: 'The limit.' }),
    retryAfter,
  },
  UNAVAILABLE: { retryAfter },
};

/** `STALE_VERSION` is described by the schema `StaleVersion`. */
export const nameOf = (code: ErrorCode): string =>
  code.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

const problems = CODES.map((code) =>
  Type.Object(
    { ...common(code), ...MORE[code] },
    { $id: nameOf(code), description: `The status is ${STATUS[code]}.`, additionalProperties: true },
  ),
);

const discriminator = (codes: readonly ErrorCode[]) => ({
  propertyName: 'code',
  mapping: Object.fromEntries(codes.map((code) => [code, `#/components/schemas/${nameOf(code)}`])),
});

/** One of these problems. */
export const problemOf = (codes: readonly ErrorCode[]) =>
  codes.length === 1
    ? { $ref: `#/components/schemas/${nameOf(codes[0] as ErrorCode)}` }
    : {
        oneOf: codes.map((code) => ({ $ref: `#/components/schemas/${nameOf(code)}` })),
        discriminator: discriminator(codes),
      };

export const components = problems;
