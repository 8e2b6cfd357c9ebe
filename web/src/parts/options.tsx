/** A form for what a JSON Schema describes: the options of a game, a standing order. */

import { type Property, valuesOf, words } from './option-values.ts';

export interface OptionsSchema {
  properties?: Record<string, Property>;
}

interface OptionFieldsProps {
  schema: OptionsSchema;
  value: Record<string, unknown>;
  onChange(value: Record<string, unknown>): void;
}

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
          {values.map(({ value: one, text }) => (
            <option key={JSON.stringify(one)} value={JSON.stringify(one)}>
              {text}
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
