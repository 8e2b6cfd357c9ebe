/** The examples of the OpenAPI document: real answers, recorded by tests/api/rest-examples.test.ts. */
import { readFileSync } from 'node:fs';
import type { ErrorCode } from '../../errors.ts';

export interface Examples {
  /** The request body of each operationId. */
  requests: Record<string, unknown>;
  /** The answers of each operationId, by status. */
  answers: Record<string, Record<string, unknown>>;
  problems: Partial<Record<ErrorCode, unknown>>;
}

/** This file lies three folders below the root, both in src/ and in dist/. */
const FILE = new URL('../../../assets/openapi-examples.json', import.meta.url);

export const examples = JSON.parse(readFileSync(FILE, 'utf8')) as Examples;
