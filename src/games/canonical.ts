/** Canonical JSON: sorted keys and no white space, so that equal values have equal bytes. */

/** Enough for any state. A longer text gets a buffer of its own. */
const usual = new Uint8Array(65_536);

/**
 * The value as UTF-8. It is hashed with every action, so it is written into one reused buffer and leaves no garbage:
 * the next call overwrites the result.
 */
export function canonicalBytes(value: unknown): Uint8Array {
  const length = write(usual, value, 0);
  if (length <= usual.length) return usual.subarray(0, length);
  const longer = new Uint8Array(length);
  write(longer, value, 0);
  return longer;
}

const decoder = new TextDecoder();

export const canonical = (value: unknown): string => decoder.decode(canonicalBytes(value));

/**
 * Writes a value from this index on, and returns the index after it; so does everything below. What is written past the
 * end of the buffer is lost without an error, so that nobody has to ask at every byte whether there is room.
 */
function write(to: Uint8Array, value: unknown, at: number): number {
  if (typeof value === 'number') return writeNumber(to, value, at);
  if (typeof value === 'string') return writeString(to, value, at);
  if (value === null) return writeBytes(to, NULL, at);
  if (typeof value === 'boolean') return writeBytes(to, value ? TRUE : FALSE, at);
  if (typeof value !== 'object') return writeBytes(to, utf8(String(JSON.stringify(value))), at);
  return Array.isArray(value) ? writeList(to, value, at) : writeObject(to, value as Record<string, unknown>, at);
}

/** Most values of most states are numbers with one digit. */
const isDigit = (value: unknown): value is number =>
  typeof value === 'number' && (value | 0) === value && value >= 0 && value < 10;

function writeNumber(to: Uint8Array, value: number, at: number): number {
  if ((value | 0) !== value) return writeBytes(to, utf8(JSON.stringify(value)), at);
  if (value >= 0) return writeDigits(to, value, at);
  to[at] = MINUS;
  return writeDigits(to, -value, at + 1);
}

function writeDigits(to: Uint8Array, value: number, at: number): number {
  if (value < 10) {
    to[at] = ZERO + value;
    return at + 1;
  }
  const tens = (value / 10) | 0;
  const end = writeDigits(to, tens, at);
  to[end] = ZERO + value - 10 * tens;
  return end + 1;
}

function writeList(to: Uint8Array, list: readonly unknown[], at: number): number {
  to[at] = OPENING_BRACKET;
  let end = at + 1;
  for (let i = 0; i < list.length; i++) {
    if (i > 0) to[end++] = COMMA;
    const item = list[i];
    if (isDigit(item)) to[end++] = ZERO + item;
    else end = write(to, item, end);
  }
  to[end] = CLOSING_BRACKET;
  return end + 1;
}

function writeObject(to: Uint8Array, object: Record<string, unknown>, at: number): number {
  to[at] = OPENING_BRACE;
  let end = at + 1;
  const entries = entriesOf(object);
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] as Entry;
    end = writeBefore(to, entry, end);
    const item = object[entry.key];
    if (isDigit(item)) to[end++] = ZERO + item;
    else end = write(to, item, end);
  }
  to[end] = CLOSING_BRACE;
  return end + 1;
}

const [COMMA, MINUS, ZERO, QUOTE, BACKSLASH, SPACE, TILDE] = [0x2c, 0x2d, 0x30, 0x22, 0x5c, 0x20, 0x7e];
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

const encoder = new TextEncoder();
const utf8 = (text: string): Uint8Array => encoder.encode(text);

const [NULL, TRUE, FALSE] = [utf8('null'), utf8('true'), utf8('false')];

function writeBytes(to: Uint8Array, text: Uint8Array, at: number): number {
  for (let i = 0; i < text.length; i++) to[at + i] = text[i] as number;
  return at + text.length;
}

function writeString(to: Uint8Array, text: string, at: number): number {
  to[at] = QUOTE;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < SPACE || code > TILDE || code === QUOTE || code === BACKSLASH)
      return writeBytes(to, utf8(JSON.stringify(text)), at);
    to[at + 1 + i] = code;
  }
  to[at + 1 + text.length] = QUOTE;
  return at + text.length + 2;
}

/** A key, and what precedes its value. */
interface Entry {
  key: string;
  before: Uint8Array;
  /** The same bytes, four in each number, filled up with zeros. */
  words: Int32Array;
}

const WORD = 4;

function entryOf(key: string, isFirst: boolean): Entry {
  const before = utf8(`${isFirst ? '' : ','}${JSON.stringify(key)}:`);
  const filled = new Uint8Array(Math.ceil(before.length / WORD) * WORD);
  filled.set(before);
  return { key, before, words: new Int32Array(filled.buffer) };
}

const usualWords = new DataView(usual.buffer);

/** Numbers are kept in memory as this machine does it, so that they can be written as they are. */
const IS_LITTLE_ENDIAN = new Uint8Array(new Int32Array([1]).buffer)[0] === 1;

/** Keys are most of a state, so four bytes are written at a time. What comes next overwrites the zeros at the end. */
function writeBefore(to: Uint8Array, { before, words }: Entry, at: number): number {
  if (to !== usual || at + WORD * words.length > usual.length) return writeBytes(to, before, at);
  for (let i = 0; i < words.length; i++) usualWords.setInt32(at + WORD * i, words[i] as number, IS_LITTLE_ENDIAN);
  return at + before.length;
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

const sortedEntries = (keys: string[]): Entry[] => keys.sort().map((key, i) => entryOf(key, i === 0));
