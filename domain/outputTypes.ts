import { fieldTypes } from '../fieldTypes/all.ts';
import type { JsonType } from '../fieldTypes/fieldType.ts';
import type { OutputColumn, OutputField } from './workflow.ts';

/** A version of a workflow, as far as its data's type is made from it. */
type Typed = Readonly<{ slug: string; version: number; outputSchema: readonly OutputField[] }>;

/**
 * The TypeScript type of the extracted data of a version, an exported type named after its slug. It says what
 * `outputJsonSchema` says: required fields are there, optional ones may be absent or null (definitions-5).
 */
export const outputTypesOf = ({ slug, version, outputSchema }: Typed): string =>
  [
    `/** What version ${version} of the workflow \`${slug}\` extracts. */`,
    `export type ${typeName(slug)} = {`,
    ...outputSchema.flatMap((field) => member(field, '  ')),
    '};',
    '',
  ].join('\n');

const TYPES: Readonly<Record<Exclude<JsonType, 'array'>, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
};

const member = (field: OutputField | OutputColumn, indent: string): readonly string[] => {
  const { name, label, description, type, required } = field;
  const { schema, note } = fieldTypes[type];
  const meaning = [label, description].filter(Boolean).join(': ');
  const about = [meaning, note].filter(Boolean).map(sentence);
  const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
  return [
    ...(about.length > 0 ? [`${indent}/** ${about.join(' ')} */`] : []),
    ...typed(`${indent}${key}${required ? '' : '?'}: `, field, schema.type, required ? ';' : ' | null;'),
  ];
};

/** A type between what stands before and after it; that of rows has a line for each column. */
const typed = (
  before: string,
  field: OutputField | OutputColumn,
  type: JsonType,
  after: string,
): readonly string[] => {
  if (type !== 'array') return [`${before}${TYPES[type]}${after}`];
  const columns = 'columns' in field ? (field.columns ?? []) : [];
  return [`${before}{`, ...columns.flatMap((column) => member(column, '    ')), `  }[]${after}`];
};

/** In one line that can't end the comment. */
const sentence = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/').trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
};

/** `tax-form` is TaxForm; what would begin with a digit begins with Workflow. */
const typeName = (slug: string): string => {
  const name = slug
    .replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
    .replaceAll('-', '');
  return /^\d/.test(name) ? `Workflow${name}` : name;
};
