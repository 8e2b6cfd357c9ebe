/** Formats rows for people who read them in a terminal. */

export const day = (at: Date | null): string => (at ? at.toISOString().slice(0, 16).replace('T', ' ') : '');

/** Text written by players must not be able to control the terminal. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, (c) => (c === '\n' ? '\n    ' : '\uFFFD'));

/** A line for each row, below the names of the columns. Columns that are empty in every row are left out. */
export function lines<T>(rows: readonly T[], columns: readonly [string, (row: T) => string][]): string {
  if (rows.length === 0) return '(none)';
  const cells = columns
    .map(([name, of]) => [name, ...rows.map((row) => plain(of(row)).replaceAll('\n', ' '))])
    .filter(([, ...values]) => values.some((value) => value !== ''));
  const widths = cells.map((column) => Math.max(...column.map(({ length }) => length)));
  return [...Array(rows.length + 1).keys()]
    .map((i) =>
      cells
        .map((column, c) => (column[i] as string).padEnd(widths[c] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One row, with a line for each of its values. */
export function block(row: object): string {
  const shown = Object.entries(row).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...shown.map(([name]) => name.length));
  const said = (value: unknown) => (value instanceof Date ? day(value) : plain(String(value)));
  return `${shown.map(([name, value]) => `${name.padEnd(width)}  ${said(value)}`).join('\n')}\n`;
}
