/** Canonical JSON: sorted keys and no white space, so that equal values have equal bytes. */

/** Enough for any state. A longer text gets a larger buffer, which is released with the next one. */
const USUAL_BYTES = 65_536;

let bytes = new Uint8Array(USUAL_BYTES);

/**
 * The value as UTF-8. It is hashed with every action, so it is written into one reused buffer and leaves no garbage:
 * the next call overwrites the result.
 */
export function canonicalBytes(value: unknown): Uint8Array {
  if (bytes.length > USUAL_BYTES) bytes = new Uint8Array(USUAL_BYTES);
  const length = write(value, 0); // may need a longer buffer
  return bytes.subarray(0, length);
}

const decoder = new TextDecoder();

export const canonical = (value: unknown): string => decoder.decode(canonicalBytes(value));

/** Writes a value from this index on, and returns the index after it; so does everything below. */
function write(value: unknown, at: number): number {
  if (typeof value === 'number' && Number.isFinite(value)) return writeNumber(value, at);
  if (typeof value === 'string') return writeString(value, at);
  if (typeof value === 'boolean' || value === null) return writeText(`${value}`, at);
  if (typeof value !== 'object') return writeText(String(JSON.stringify(value)), at);
  return Array.isArray(value) ? writeList(value, at) : writeObject(value as Record<string, unknown>, at);
}

/** Most numbers of a state have one digit. */
function writeNumber(value: number, at: number): number {
  return value >= 0 && value < 10 && Number.isInteger(value) ? put(ZERO + value, at) : writeText(`${value}`, at);
}

function writeList(list: readonly unknown[], at: number): number {
  let end = put(OPENING_BRACKET, at);
  for (let i = 0; i < list.length; i++) {
    if (i > 0) end = put(COMMA, end);
    end = write(list[i], end);
  }
  return put(CLOSING_BRACKET, end);
}

function writeObject(object: Record<string, unknown>, at: number): number {
  let end = put(OPENING_BRACE, at);
  const entries = entriesOf(object);
  for (let i = 0; i < entries.length; i++) {
    const { key, before } = entries[i] as Entry;
    if (i > 0) end = put(COMMA, end);
    end = write(object[key], writeText(before, end));
  }
  return put(CLOSING_BRACE, end);
}

const [COMMA, ZERO, QUOTE, BACKSLASH, SPACE, TILDE] = [0x2c, 0x30, 0x22, 0x5c, 0x20, 0x7e];
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

function put(byte: number, at: number): number {
  if (at === bytes.length) makeRoom(at, 1);
  bytes[at] = byte;
  return at + 1;
}

function makeRoom(at: number, more: number): void {
  const longer = new Uint8Array(Math.max(bytes.length * 2, at + more));
  longer.set(bytes);
  bytes = longer;
}

/** A character takes three bytes at most. */
const MOST_BYTES = 3;

const encoder = new TextEncoder();

function writeText(text: string, at: number): number {
  if (at + text.length * MOST_BYTES > bytes.length) makeRoom(at, text.length * MOST_BYTES);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > TILDE) return at + encoder.encodeInto(text, bytes.subarray(at)).written;
    bytes[at + i] = code;
  }
  return at + text.length;
}

function writeString(text: string, at: number): number {
  if (at + text.length + 2 > bytes.length) makeRoom(at, text.length + 2);
  bytes[at] = QUOTE;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < SPACE || code > TILDE || code === QUOTE || code === BACKSLASH)
      return writeText(JSON.stringify(text), at);
    bytes[at + 1 + i] = code;
  }
  bytes[at + 1 + text.length] = QUOTE;
  return at + text.length + 2;
}

/** A key, and the bytes that precede its value. */
interface Entry {
  key: string;
  before: string;
}

/** The keys of an object up to here, in its own order, and what can follow. */
interface Path {
  /** The key that followed first, and where it leads. It is compared before the others, and mostly there are none. */
  key: string | undefined;
  first: Path | undefined;
  next: Map<string, Path>;
  /** The same keys, sorted. */
  entries: readonly Entry[] | undefined;
}

/** All games together need a few hundred. Other objects, such as a document that somebody sent, must not accumulate. */
const MOST_PATHS = 5000;

const newPath = (): Path => ({ key: undefined, first: undefined, next: new Map(), entries: undefined });

let start = newPath();
let paths = 0;

/** Objects of one kind have the same keys in the same order, so these are sorted once for all of them. */
function entriesOf(object: object): readonly Entry[] {
  let path = start;
  for (const key in object) {
    path = (key === path.key ? path.first : path.next.get(key)) ?? longerPath(path, key);
  }
  path.entries ??= sortedEntries(Object.keys(object));
  return path.entries;
}

function longerPath(path: Path, key: string): Path {
  const longer = newPath();
  if (path.key === undefined) {
    path.key = key;
    path.first = longer;
  } else path.next.set(key, longer);
  if (++paths > MOST_PATHS) {
    start = newPath(); // callers that are in the middle keep the old ones
    paths = 0;
  }
  return longer;
}

const sortedEntries = (keys: string[]): Entry[] =>
  keys.sort().map((key) => ({ key, before: `${JSON.stringify(key)}:` }));
