/** Canonical JSON: sorted keys and no white space, so that equal values have equal bytes. */

/** Enough for any state. A longer text gets a buffer of its own. */
const usual = new Uint8Array(65_536);

let bytes = usual;

/**
 * The value as UTF-8. It is hashed with every action, so it is written into one reused buffer and leaves no garbage:
 * the next call overwrites the result.
 */
export function canonicalBytes(value: unknown): Uint8Array {
  bytes = usual;
  const length = write(value, 0);
  if (length > bytes.length) {
    bytes = new Uint8Array(length);
    write(value, 0);
  }
  return bytes.subarray(0, length);
}

const decoder = new TextDecoder();

export const canonical = (value: unknown): string => decoder.decode(canonicalBytes(value));

/**
 * Writes a value from this index on, and returns the index after it; so does everything below. What is written past the
 * end of the buffer is lost without an error, so that nobody has to ask at every byte whether there is room.
 */
function write(value: unknown, at: number): number {
  if (typeof value === 'number') return writeNumber(value, at);
  if (typeof value === 'string') return writeString(value, at);
  if (value === null) return writeBytes(NULL, at);
  if (typeof value === 'boolean') return writeBytes(value ? TRUE : FALSE, at);
  if (typeof value !== 'object') return writeBytes(utf8(String(JSON.stringify(value))), at);
  return Array.isArray(value) ? writeList(value, at) : writeObject(value as Record<string, unknown>, at);
}

function writeNumber(value: number, at: number): number {
  if ((value | 0) !== value) return writeBytes(utf8(JSON.stringify(value)), at);
  if (value >= 0) return writeDigits(value, at);
  bytes[at] = MINUS;
  return writeDigits(-value, at + 1);
}

function writeDigits(value: number, at: number): number {
  if (value < 10) {
    bytes[at] = ZERO + value;
    return at + 1;
  }
  const tens = (value / 10) | 0;
  const end = writeDigits(tens, at);
  bytes[end] = ZERO + value - 10 * tens;
  return end + 1;
}

function writeList(list: readonly unknown[], at: number): number {
  bytes[at] = OPENING_BRACKET;
  let end = at + 1;
  for (let i = 0; i < list.length; i++) {
    if (i > 0) bytes[end++] = COMMA;
    const item = list[i];
    // Most items of most lists are numbers with one digit.
    if (typeof item === 'number' && (item | 0) === item && item >= 0 && item < 10) bytes[end++] = ZERO + item;
    else end = write(item, end);
  }
  bytes[end] = CLOSING_BRACKET;
  return end + 1;
}

function writeObject(object: Record<string, unknown>, at: number): number {
  bytes[at] = OPENING_BRACE;
  let end = at + 1;
  const entries = entriesOf(object);
  for (let i = 0; i < entries.length; i++) {
    const { key, before } = entries[i] as Entry;
    end = write(object[key], writeBytes(before, end));
  }
  bytes[end] = CLOSING_BRACE;
  return end + 1;
}

const [COMMA, MINUS, ZERO, QUOTE, BACKSLASH, SPACE, TILDE] = [0x2c, 0x2d, 0x30, 0x22, 0x5c, 0x20, 0x7e];
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

const encoder = new TextEncoder();
const utf8 = (text: string): Uint8Array => encoder.encode(text);

const [NULL, TRUE, FALSE] = [utf8('null'), utf8('true'), utf8('false')];

function writeBytes(text: Uint8Array, at: number): number {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text[i] as number;
  return at + text.length;
}

function writeString(text: string, at: number): number {
  bytes[at] = QUOTE;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < SPACE || code > TILDE || code === QUOTE || code === BACKSLASH)
      return writeBytes(utf8(JSON.stringify(text)), at);
    bytes[at + 1 + i] = code;
  }
  bytes[at + 1 + text.length] = QUOTE;
  return at + text.length + 2;
}

/** A key, and the bytes that precede its value. */
interface Entry {
  key: string;
  before: Uint8Array;
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
  keys.sort().map((key, i) => ({ key, before: utf8(`${i > 0 ? ',' : ''}${JSON.stringify(key)}:`) }));
