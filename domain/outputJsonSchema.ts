import { fieldTypes, isText } from '../fieldTypes/all.ts';
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

const property = ({ label, description, required, type, validation }: OutputField): JsonSchema => {
  const { schema } = fieldTypes[type];
  return {
    ...(label ? { title: label } : {}),
    ...(description ? { description } : {}),
    ...schema,
    // On others they mean the text that was found.
    ...(isText(type) ? validation : {}),
    ...(required ? {} : { type: [schema.type, 'null'] }),
  };
};
