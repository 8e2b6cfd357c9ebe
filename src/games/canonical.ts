/** Canonical JSON: sorted keys and no white space, so that equal values have equal bytes. */

/** Enough for any state. A longer text gets a larger buffer, which is released with the next one. */
const USUAL_BYTES = 65_536;

let bytes = new Uint8Array(USUAL_BYTES);
let length = 0;

/**
 * The value as UTF-8. It is hashed with every action, so it is written into one reused buffer and leaves no garbage:
 * the next call overwrites the result.
 */
export function canonicalBytes(value: unknown): Uint8Array {
  if (bytes.length > USUAL_BYTES) bytes = new Uint8Array(USUAL_BYTES);
  length = 0;
  write(value);
  return bytes.subarray(0, length);
}

const decoder = new TextDecoder();

export const canonical = (value: unknown): string => decoder.decode(canonicalBytes(value));

function write(value: unknown): void {
  if (typeof value === 'string') writeString(value);
  else if (typeof value === 'number' && Number.isFinite(value)) writeText(`${value}`);
  else if (typeof value !== 'object' || value === null) writeText(String(JSON.stringify(value)));
  else if (Array.isArray(value)) writeList(value);
  else writeObject(value as Record<string, unknown>);
}

function writeList(list: readonly unknown[]): void {
  put(OPENING_BRACKET);
  for (let i = 0; i < list.length; i++) {
    if (i > 0) put(COMMA);
    write(list[i]);
  }
  put(CLOSING_BRACKET);
}

function writeObject(object: Record<string, unknown>): void {
  put(OPENING_BRACE);
  const entries = entriesOf(object);
  for (let i = 0; i < entries.length; i++) {
    const { key, before } = entries[i] as Entry;
    if (i > 0) put(COMMA);
    writeText(before);
    write(object[key]);
  }
  put(CLOSING_BRACE);
}

const [COMMA, QUOTE, BACKSLASH, SPACE, TILDE] = [0x2c, 0x22, 0x5c, 0x20, 0x7e];
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

function put(byte: number): void {
  if (length === bytes.length) makeRoom(1);
  bytes[length++] = byte;
}

function makeRoom(more: number): void {
  const longer = new Uint8Array(Math.max(bytes.length * 2, length + more));
  longer.set(bytes);
  bytes = longer;
}

/** A character takes three bytes at most. */
const MOST_BYTES = 3;

const encoder = new TextEncoder();

function writeText(text: string): void {
  if (length + text.length * MOST_BYTES > bytes.length) makeRoom(text.length * MOST_BYTES);
  const start = length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > TILDE) {
      length = start + encoder.encodeInto(text, bytes.subarray(start)).written;
      return;
    }
    bytes[length++] = code;
  }
}

function writeString(text: string): void {
  if (length + text.length + 2 > bytes.length) makeRoom(text.length + 2);
  const start = length;
  bytes[length++] = QUOTE;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < SPACE || code > TILDE || code === QUOTE || code === BACKSLASH) {
      length = start;
      writeText(JSON.stringify(text));
      return;
    }
    bytes[length++] = code;
  }
  bytes[length++] = QUOTE;
}

/** A key, and the bytes that precede its value. */
interface Entry {
  key: string;
  before: string;
}

/** The keys of an object up to here, in its own order, and what can follow. */
interface Path {
  next: Map<string, Path>;
  /** The same keys, sorted. */
  entries: readonly Entry[] | undefined;
}

/** All games together need a few hundred. Other objects, such as a document that somebody sent, must not accumulate. */
const MOST_PATHS = 5000;

let start: Path = { next: new Map(), entries: undefined };
let paths = 0;

/** Objects of one kind have the same keys in the same order, so these are sorted once for all of them. */
function entriesOf(object: object): readonly Entry[] {
  let path = start;
  for (const key in object) path = path.next.get(key) ?? longerPath(path, key);
  path.entries ??= sortedEntries(Object.keys(object));
  return path.entries;
}

function longerPath(path: Path, key: string): Path {
  const longer: Path = { next: new Map(), entries: undefined };
  path.next.set(key, longer);
  if (++paths > MOST_PATHS) {
    start = { next: new Map(), entries: undefined }; // callers that are in the middle keep the old ones
    paths = 0;
  }
  return longer;
}

const sortedEntries = (keys: string[]): Entry[] =>
  keys.sort().map((key) => ({ key, before: `${JSON.stringify(key)}:` }));
