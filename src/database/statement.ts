/**
 * Statements with binary parameters, for where speed matters. pg itself sends parameters as text, asks for a description
 * of every answer and makes objects of its rows.
 */
import type { Socket } from 'node:net';
import type { Connection, Pool, Submittable } from 'pg';
import { Bytes } from './binary.ts';

export interface Statement {
  /** The session keeps the plan under this name. Without one, the statement is planned each time. */
  name?: string;
  text: string;
  /** The number of its parameters. */
  parameters: number;
}

/** The fields of one row, as text. */
type Row = readonly (string | null)[];

/** What pg's own statements use of a connection too. */
interface Inside {
  stream: Socket;
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
}

type Done = (error: Error | null, rows?: Row[]) => void;

/** pg calls `submit` when it is the statement's turn, and the other methods with what the database answers. */
class Execution implements Submittable {
  /** By its name, pg remembers which statements a connection has prepared. Behind a pooler the name is removed. */
  name: string | undefined;
  readonly text: string;
  callback: Done | undefined;
  readonly #parameters: number;
  readonly #write: (to: Bytes) => void;
  readonly #rows: Row[] = [];

  constructor({ name, text, parameters }: Statement, write: (to: Bytes) => void) {
    this.name = name;
    this.text = text;
    this.#parameters = parameters;
    this.#write = write;
  }

  submit(connection: Connection): Error | null {
    const { stream, parsedStatements, submittedNamedStatements } = connection as unknown as Inside;
    const { name = '', text } = this;
    const prepared = parsedStatements[name] ?? submittedNamedStatements[name];
    if (name && prepared !== undefined && prepared !== text) return new Error(`There are two statements named ${name}`);
    messages.clear();
    try {
      if (prepared === undefined) prepare(name, text);
      bind(name, this.#parameters, this.#write);
    } catch (error) {
      return error as Error;
    }
    messages.bytes(EXECUTE_AND_SYNC);
    if (name) submittedNamedStatements[name] = text;
    if (stream.writable) stream.write(messages.copy());
    return null;
  }

  handleDataRow({ fields }: { fields: Row }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback?.(null, this.#rows);
  }

  handleError(error: Error): void {
    this.callback?.(error);
  }
}

const messages = new Bytes();

function prepare(name: string, text: string): void {
  const from = beginMessage('P');
  terminated(name);
  terminated(text);
  messages.int16(0); // the types of its parameters are in the text
  messages.end(from, 4);
}

function bind(name: string, parameters: number, write: (to: Bytes) => void): void {
  const from = beginMessage('B');
  terminated(''); // the portal
  terminated(name);
  messages.int16(1); // one format for all parameters,
  messages.int16(1); // the binary one
  messages.int16(parameters);
  write(messages);
  messages.int16(0); // text for all fields of the answer
  messages.end(from, 4);
}

function beginMessage(type: string): number {
  messages.text(type);
  return messages.begin();
}

function terminated(text: string): void {
  messages.text(text);
  messages.byte(0);
}

/** Execute, without a limit of rows, and Sync. */
const EXECUTE_AND_SYNC = Buffer.from('E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04', 'latin1');

/** Runs a statement, the values of whose parameters `write` writes in their order, and returns the rows of the answer. */
export function execute(client: Pick<Pool, 'query'>, statement: Statement, write: (to: Bytes) => void): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const done: Done = (error, rows = []) => (error ? reject(error) : resolve(rows));
    (client as { query(execution: Submittable, done: Done): void }).query(new Execution(statement, write), done);
  });
}
