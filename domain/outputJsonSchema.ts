import { fieldTypes, isText } from '../fieldTypes/all.ts';
import { MAX_ROWS } from './submission/processingResult.ts';
import type { OutputColumn, OutputField } from './workflow.ts';

/** A JSON Schema, or a part of one. */
type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What a version's `outputJsonSchema` is: an object of its fields, required ones present and not null,
 * optional ones present or not, and null when they were not found (definitions-5).
 */
export const outputJsonSchemaOf = (fields: readonly OutputField[]): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...objectOf(fields),
});

const objectOf = (fields: readonly (OutputField | OutputColumn)[]): JsonSchema => ({
  type: 'object',
  // fromEntries defines own members, so that a field named __proto__ is one like any other.
  properties: Object.fromEntries(fields.map((field) => [field.name, property(field)])),
  required: fields.filter((field) => field.required).map((field) => field.name),
  additionalProperties: false,
});

const property = (field: OutputField | OutputColumn): JsonSchema => {
  const { label, description, required, type, validation } = field;
  const { schema } = fieldTypes[type];
  return {
    ...(label ? { title: label } : {}),
    ...(description ? { description } : {}),
    ...schema,
    // On others they mean the text that was found.
    ...(isText(type) ? validation : {}),
    ...('columns' in field ? rowsOf(field) : {}),
    ...(required ? {} : { type: [schema.type, 'null'] }),
  };
};

/** A required table has a row at least. */
const rowsOf = ({ required, columns = [] }: OutputField): JsonSchema => ({
  ...(required ? { minItems: 1 } : {}),
  maxItems: MAX_ROWS,
  items: objectOf(columns),
});
