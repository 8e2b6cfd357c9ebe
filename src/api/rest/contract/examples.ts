/** The examples of the OpenAPI document: real answers, recorded by tests/api/rest-examples.test.ts. */
import { readFileSync } from 'node:fs';
import type { ErrorCode } from '../../../errors.ts';
import { ROOT } from '../../../root.ts';

export interface Examples {
  /** The request body of each operationId. */
  requests: Record<string, unknown>;
  /** The answers of each operationId, by status. */
  answers: Record<string, Record<string, unknown>>;
  problems: Partial<Record<ErrorCode, unknown>>;
}

const FILE = new URL('assets/openapi-examples.json', ROOT);

export const examples = JSON.parse(readFileSync(FILE, 'utf8')) as Examples;
