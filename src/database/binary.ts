/** Values in PostgreSQL's binary format, which costs both sides less than text. */

/** Bytes that are written one after another, in memory that is used again and again. */
export class Bytes {
  #memory = Buffer.allocUnsafeSlow(65_536);
  #length = 0;

  #reserve(length: number): void {
    if (this.#length + length <= this.#memory.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + length));
    this.#memory.copy(larger, 0, 0, this.#length);
    this.#memory = larger;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#memory[this.#length++] = value;
  }

  int16(value: number): void {
    this.#reserve(2);
    this.#memory[this.#length++] = value >> 8;
    this.#memory[this.#length++] = value;
  }

  int32(value: number): void {
    this.#reserve(4);
    this.#put(this.#length, value);
    this.#length += 4;
  }

  #put(at: number, value: number): void {
    this.#memory[at] = value >> 24;
    this.#memory[at + 1] = value >> 16;
    this.#memory[at + 2] = value >> 8;
    this.#memory[at + 3] = value;
  }

  /** Bytes in hexadecimal digits. Hyphens between them are left out. */
  hex(digits: string): void {
    this.#reserve(digits.length >> 1);
    for (let i = 0; i < digits.length; i += 2) {
      if (digits.charCodeAt(i) === HYPHEN) i++;
      const byte = (digitAt(digits, i) << 4) | digitAt(digits, i + 1);
      if (byte > 255) throw new Error(`${digits} is not hexadecimal`);
      this.#memory[this.#length++] = byte;
    }
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#memory.set(value, this.#length);
    this.#length += value.length;
  }

  text(value: string): void {
    this.#reserve(3 * value.length);
    this.#length += this.#memory.write(value, this.#length);
  }

  /** Leaves room for the length of what follows, and returns where. */
  begin(): number {
    this.int32(0);
    return this.#length;
  }

  /** Fills in the length of everything that was written since, to which messages add the length of the length. */
  end(from: number, more = 0): void {
    this.#put(from - 4, this.#length - from + more);
  }

  clear(): void {
    this.#length = 0;
  }

  copy(): Buffer {
    return Buffer.from(this.#memory.subarray(0, this.#length));
  }
}

const HYPHEN = '-'.charCodeAt(0);
const NO_DIGIT = 256;
const DIGITS = new Uint16Array(128).fill(NO_DIGIT);
for (const [value, digit] of [...'0123456789abcdef'].entries()) DIGITS[digit.charCodeAt(0)] = value;

const digitAt = (text: string, i: number): number => DIGITS[text.charCodeAt(i)] ?? NO_DIGIT;

/** How values of a type are written. An element of an array is written like a value alone. */
export interface Type<Value> {
  /** Its name in SQL. */
  name: string;
  /** PostgreSQL's number for it, which is the same in every database. */
  oid: number;
  write(value: Value, to: Bytes): void;
}

/** Writes a value alone, as a parameter. */
export function writeValue<Value>({ write }: Type<Value>, value: Value | null | undefined, to: Bytes): void {
  if (value === null || value === undefined) {
    to.int32(-1);
    return;
  }
  const from = to.begin();
  write(value, to);
  to.end(from);
}

/** Writes an array with an element for each row. */
export function writeArray<Row, Value>(
  type: Type<Value>,
  rows: readonly Row[],
  of: (row: Row) => Value | null | undefined,
  to: Bytes,
): void {
  const from = to.begin();
  to.int32(1); // dimensions
  to.int32(1); // some may be null
  to.int32(type.oid);
  to.int32(rows.length);
  to.int32(1); // the index of the first
  for (const row of rows) writeValue(type, of(row), to);
  to.end(from);
}

const EPOCH = Date.UTC(2000, 0, 1);
const HALF = 2 ** 32;

export const UUID: Type<string> = { name: 'uuid', oid: 2950, write: (id, to) => to.hex(id) };
export const INT: Type<number> = { name: 'int', oid: 23, write: (value, to) => to.int32(value) };
export const BOOL: Type<boolean> = { name: 'bool', oid: 16, write: (value, to) => to.byte(value ? 1 : 0) };
export const TEXT: Type<string> = { name: 'text', oid: 25, write: (text, to) => to.text(text) };
export const JSON_TEXT: Type<object> = { name: 'json', oid: 114, write: (value, to) => to.text(JSON.stringify(value)) };
export const BYTEA: Type<Uint8Array> = { name: 'bytea', oid: 17, write: (bytes, to) => to.bytes(bytes) };
export const HEX: Type<string> = { name: 'bytea', oid: 17, write: (digits, to) => to.hex(digits) };
export const TIMESTAMPTZ: Type<Date> = {
  name: 'timestamptz',
  oid: 1184,
  write(date, to) {
    const microseconds = (date.getTime() - EPOCH) * 1000;
    to.int32(Math.floor(microseconds / HALF));
    to.int32(microseconds % HALF);
  },
};
