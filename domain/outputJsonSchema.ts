/** A field of a workflow's output, as far as its JSON Schema depends on it. */
export type SchemaField = Readonly<{
  name: string;
  label?: string | null;
  required: boolean;
  description?: string | null;
  type: 'string' | 'number' | 'integer' | 'boolean' | 'date';
  validation?: Readonly<{
    pattern?: string | null;
    minLength?: number | null;
    maxLength?: number | null;
  }> | null;
}>;

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema (2020-12) of one field's value: what a correction is checked against. Without null, which a correction may
 * always be. The bounds on text are those of text and date fields; on others they mean the text that was found.
 */
export const fieldJsonSchema = (field: SchemaField): JsonSchema => ({
  ...(field.label ? { title: field.label } : {}),
  ...(field.description ? { description: field.description } : {}),
  ...typeOf(field),
});

/**
 * What a version's `outputJsonSchema` is: an object of its fields, required ones present and not null, optional ones present
 * or not, and null when they were not found (decisions, section 8).
 */
export const outputJsonSchemaOf = (fields: readonly SchemaField[]): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  // fromEntries defines own members, so that a field named __proto__ is one like any other.
  properties: Object.fromEntries(fields.map((field) => [field.name, property(field)])),
  required: fields.filter((field) => field.required).map((field) => field.name),
  additionalProperties: false,
});

const property = (field: SchemaField): JsonSchema => {
  const schema = fieldJsonSchema(field);
  return field.required ? schema : { ...schema, type: [schema.type, 'null'] };
};

const typeOf = ({ type, validation }: SchemaField): JsonSchema => {
  if (type === 'date') return { type: 'string', format: 'date', ...bounds(validation) };
  if (type === 'string') return { type: 'string', ...bounds(validation) };
  return { type };
};

const bounds = (validation: SchemaField['validation']): JsonSchema =>
  Object.fromEntries(
    (['pattern', 'minLength', 'maxLength'] as const).flatMap((name) => {
      const value = validation?.[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
