import { boolean } from './boolean.ts';
import { date } from './date.ts';
import type { FieldTypeRecord } from './fieldType.ts';
import { integer } from './integer.ts';
import { number } from './number.ts';
import { string } from './string.ts';
import { table } from './table.ts';

// Schemas, types, checks, samples, docs and the workflow agent follow from this list.
const plain = [string, number, integer, boolean, date] as const;
const list = [...plain, table] as const;

/** The name of a type, as workflow definitions and stored events have it. */
export type FieldType = (typeof list)[number]['name'];

/** The names of the types that a field of the output may have (definitions-5). */
export const fieldTypeNames: readonly FieldType[] = list.map(({ name }) => name);

/** The name of a type of which a single value is. */
export type PlainType = (typeof plain)[number]['name'];

/** The names of the types of single values, which the columns of a table may have (tables-1). */
export const plainTypeNames: readonly PlainType[] = plain.map(({ name }) => name);

/** The types that a field of the output may have, each in a file of its own. */
export const fieldTypes = Object.fromEntries(list.map((type) => [type.name, type])) as Readonly<
  Record<FieldType, FieldTypeRecord<FieldType>>
>;

/** Whether values of a type are texts in JSON, to which a field's own rules apply. */
export const isText = (type: FieldType): boolean => fieldTypes[type].schema.type === 'string';

/** Whether values of a type are numbers in JSON. */
export const isNumeric = (type: FieldType): boolean =>
  fieldTypes[type].schema.type === 'number' || fieldTypes[type].schema.type === 'integer';

/** Whether any text is a value of a type. */
export const isFreeText = (type: FieldType): boolean => fieldTypes[type].isFreeText;
