import type { TSchema } from '../../kernel/schema.ts';

/**
 * A member of an event's data: its path (`slots[].label`), the type of its values and what they mean, for
 * people.
 */
export type Field = Readonly<{ path: string; type: string; meaning: string }>;

type Schema = Readonly<{
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  patternProperties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
}>;

/** The members that an object may have by one of its schemas; what differs between them is joined. */
export const membersOf = (schema: TSchema): ReadonlyMap<string, Schema> => {
  const members = new Map<string, readonly Schema[]>();
  for (const { properties = {} } of variantsOf(schema as Schema))
    for (const [name, member] of Object.entries(properties)) {
      const found = members.get(name) ?? [];
      if (!found.some((one) => alike(one, member))) members.set(name, [...found, member]);
    }
  return new Map([...members].map(([name, found]) => [name, joined(found)]));
};

/** Whether two schemas are equal. */
export const alike = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A member and those below it, each as a row. The private part is shown in its open form. */
export const fieldsOf = (path: string, schema: Schema, optional = false): readonly Field[] => {
  if (path === 'private') return below('private', openForm(schema));
  const meaning = [schema.description ?? '', optional ? 'may be absent' : ''].filter((text) => text !== '');
  const own = { path, type: typeOf(schema), meaning: meaning.join('; ') };
  const items = schema.items ?? schema;
  const inner = innerObject(items);
  return [own, ...(inner ? below(schema.items ? `${path}[]` : path, inner) : [])];
};

const below = (path: string, { properties = {}, required = [] }: Schema): readonly Field[] =>
  Object.entries(properties).flatMap(([name, member]) =>
    fieldsOf(`${path}.${name}`, member, !required.includes(name)),
  );

const variantsOf = (schema: Schema): readonly Schema[] => schema.anyOf ?? [schema];

const openForm = (schema: Schema): Schema =>
  variantsOf(schema).find(({ properties }) => properties && !('redacted' in properties)) ?? schema;

const innerObject = (schema: Schema): Schema | undefined =>
  variantsOf(schema).find(({ properties }) => properties !== undefined);

const joined = (found: readonly Schema[]): Schema => {
  const [only] = found;
  if (found.length === 1 && only) return only;
  const meanings = found.flatMap(({ description }) => description ?? []);
  return { anyOf: found, ...(meanings.length === 0 ? {} : { description: meanings.join('; ') }) };
};

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
};

const typeOf = (schema: Schema): string => {
  if (schema.anyOf)
    return [...new Set(schema.anyOf.flatMap((one) => typeOf(one).split(' or ')))].join(' or ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum) return schema.enum.map((value) => (value === null ? 'null' : `\`${value}\``)).join(', ');
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  if (schema.type === undefined) return 'any JSON';
  return [schema.type]
    .flat()
    .map((type) => nameOf(type, schema))
    .join(' or ');
};

const nameOf = (type: string, { format }: Schema): string =>
  type === 'string' && format === 'date-time' ? 'time' : (NAMES[type] ?? type);
