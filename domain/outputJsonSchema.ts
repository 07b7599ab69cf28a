import type { OutputField } from './workflow.ts';

/** A JSON Schema, or a part of one. */
type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What a version's `outputJsonSchema` is: an object of its fields, required ones present and not null,
 * optional ones present or not, and null when they were not found (definitions-5).
 */
export const outputJsonSchemaOf = (fields: readonly OutputField[]): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  // fromEntries defines own members, so that a field named __proto__ is one like any other.
  properties: Object.fromEntries(fields.map((field) => [field.name, property(field)])),
  required: fields.filter((field) => field.required).map((field) => field.name),
  additionalProperties: false,
});

const property = (field: OutputField): JsonSchema => {
  const schema = fieldJsonSchema(field);
  return field.required ? schema : { ...schema, type: [schema.type, 'null'] };
};

/**
 * Without null. Bounds on text apply to text and date fields; on others they mean the text that was found.
 */
const fieldJsonSchema = (field: OutputField): JsonSchema => ({
  ...(field.label ? { title: field.label } : {}),
  ...(field.description ? { description: field.description } : {}),
  ...typeOf(field),
});

const typeOf = ({ type, validation }: OutputField): JsonSchema => {
  if (type === 'date') return { type: 'string', format: 'date', ...bounds(validation) };
  if (type === 'string') return { type: 'string', ...bounds(validation) };
  return { type };
};

const bounds = (validation: OutputField['validation']): JsonSchema =>
  Object.fromEntries(
    (['pattern', 'minLength', 'maxLength'] as const).flatMap((name) => {
      const value = validation?.[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
