/** The examples of the OpenAPI document: real answers, written down by the tests (see tests/api/examples-of-rest.test.ts). */
import { readFileSync } from 'node:fs';
import type { ErrorCode } from '../../errors.ts';

export interface Examples {
  /** By operationId: the body that was sent. */
  requests: Record<string, unknown>;
  /** By operationId and status. */
  answers: Record<string, Record<string, unknown>>;
  problems: Partial<Record<ErrorCode, unknown>>;
}

/** In src/ and in dist/ alike this file lies three folders below the root. */
const FILE = new URL('../../../assets/openapi-examples.json', import.meta.url);

export const examples = JSON.parse(readFileSync(FILE, 'utf8')) as Examples;
