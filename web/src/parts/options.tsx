/** A form for what a JSON Schema describes: the options of a game, a standing order. */

interface Property {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  anyOf?: { const?: unknown; title?: string; description?: string }[];
  minimum?: number;
  maximum?: number;
}

export interface OptionsSchema {
  properties?: Record<string, Property>;
}

interface OptionFieldsProps {
  schema: OptionsSchema;
  value: Record<string, unknown>;
  onChange(value: Record<string, unknown>): void;
}

/** Turns "tradingPost" into "Trading post". */
const words = (name: string): string => {
  const spaced = name
    .replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`)
    .replace(/[-_]/g, ' ')
    .replace(/([a-z])(\d)/g, '$1 $2');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};

const valuesOf = ({ enum: listed, anyOf }: Property): unknown[] | null =>
  listed ?? (anyOf?.every((one) => 'const' in one) ? anyOf.map((one) => one.const) : null);

const sayValue = (value: unknown): string => (typeof value === 'string' ? words(value) : JSON.stringify(value));

export function OptionFields({ schema, value, onChange }: OptionFieldsProps) {
  return (
    <>
      {Object.entries(schema.properties ?? {}).map(([name, property]) => (
        <OptionField
          key={name}
          name={name}
          property={property}
          value={value[name] ?? property.default}
          onChange={(next) => onChange({ ...value, [name]: next })}
        />
      ))}
    </>
  );
}

interface OptionFieldProps {
  name: string;
  property: Property;
  value: unknown;
  onChange(value: unknown): void;
}

function OptionField({ name, property, value, onChange }: OptionFieldProps) {
  const label = property.title ?? words(name);
  const hint = property.description && <small>{property.description}</small>;
  const values = valuesOf(property);
  if (values) {
    return (
      <label class="field">
        <span>{label}</span>
        <select
          value={JSON.stringify(value)}
          onChange={(event) => onChange(JSON.parse(event.currentTarget.value) as unknown)}
        >
          {values.map((one) => (
            <option key={JSON.stringify(one)} value={JSON.stringify(one)}>
              {sayValue(one)}
            </option>
          ))}
        </select>
        {hint}
      </label>
    );
  }
  if (property.type === 'boolean') {
    return (
      <label class="check">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
        <span>
          {label}
          {hint}
        </span>
      </label>
    );
  }
  if (property.type === 'integer' || property.type === 'number') {
    return (
      <label class="field">
        <span>{label}</span>
        <input
          type="number"
          min={property.minimum}
          max={property.maximum}
          value={String(value ?? '')}
          onChange={(event) => onChange(Number(event.currentTarget.value))}
        />
        {hint}
      </label>
    );
  }
  return null; // the default is used
}
