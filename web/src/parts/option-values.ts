/** The words for an option of a game, from its JSON Schema. */

export interface Property {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  anyOf?: { const?: unknown; title?: string }[];
  minimum?: number;
  maximum?: number;
}

/** Turns "tradingPost" into "Trading post". */
export const words = (name: string): string => {
  const spaced = name
    .replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`)
    .replace(/[-_]/g, ' ')
    .replace(/([a-z])(\d)/g, '$1 $2');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};

interface Value {
  value: unknown;
  text: string;
}

const sayValue = (value: unknown): string => (typeof value === 'string' ? words(value) : JSON.stringify(value));

/** The values to choose from, in the schema's own words where it has some; null if it lists none. */
export function valuesOf({ enum: listed, anyOf }: Property): Value[] | null {
  if (listed) return listed.map((value) => ({ value, text: sayValue(value) }));
  if (!anyOf?.every((one) => 'const' in one)) return null;
  return anyOf.map(({ const: value, title }) => ({ value, text: title ?? sayValue(value) }));
}
