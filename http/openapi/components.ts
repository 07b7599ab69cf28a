import { isObject } from '../../kernel/changes.ts';
import * as schemaModules from '../../schemas/modules.ts';
import { documentSchemas, formOf } from './forms.ts';
import type { Json, Refer } from './types.ts';

/** Objects, unions and enumerations have names; short texts and numbers are clearer in place. */
const isNameable = (value: unknown): value is Json =>
  isObject(value) &&
  (value.type === 'object' ||
    Array.isArray(value.enum) ||
    Array.isArray(value.anyOf) ||
    (Array.isArray(value.type) && !isNullable(value.type)));

const isNullable = (types: readonly unknown[]): boolean => types.length === 2 && types[1] === 'null';

const textOf = ({ description: _, examples: __, ...schema }: Json): string => JSON.stringify(schema);

type Named = Readonly<{ name: string; schema: Json }>;

/**
 * Exported schemas by their JSON, whatever their description and example: a schema within another one is a
 * copy. Of equal ones the first module gives the name.
 */
const exported: ReadonlyMap<string, Named> = new Map(
  [...Object.values(schemaModules), documentSchemas]
    .reverse()
    .flatMap((exports: object) => Object.entries(exports))
    .flatMap(([name, schema]) => (isNameable(schema) ? [[textOf(schema), { name, schema }] as const] : [])),
);

/** Collects the schemas that the document refers to by name; `schemas` gives them, sorted. */
export const createComponents = (): Readonly<{ refer: Refer; schemas(): Readonly<Record<string, Json>> }> => {
  const used = new Map<string, Json>();
  const use = ({ name, schema }: Named): Json => {
    if (!used.has(name)) {
      used.set(name, {});
      used.set(name, membersOf(formOf(schema) as Json));
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  /** A reference to a named schema, or to that or null, with what it means in this place. */
  const referenceTo = (schema: Json): Json | null => {
    const named = exported.get(textOf(schema));
    const { description } = schema;
    if (named) return { ...use(named), ...(description === named.schema.description ? {} : { description }) };
    const withoutNull = nullStripped(schema);
    const nullable = withoutNull && exported.get(textOf(withoutNull));
    return nullable
      ? { anyOf: [use(nullable), { type: 'null' }], ...(description ? { description } : {}) }
      : null;
  };
  const membersOf = (schema: Json): Json =>
    Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, referred(value)]));
  const referred = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referred);
    return isObject(value) ? (referenceTo(value) ?? membersOf(sized(value))) : value;
  };
  return {
    refer: (schema) => referred(schema) as Json,
    schemas: () => Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};

const MAX_INT32 = 2 ** 31 - 1;

/** A number with its size: generators of clients take those without one for 32 bits. */
const sized = (schema: Json): Json => {
  const [type] = [schema.type].flat();
  if (schema.format !== undefined || (type !== 'number' && type !== 'integer')) return schema;
  const isShort = type === 'integer' && Number(schema.maximum ?? Number.POSITIVE_INFINITY) <= MAX_INT32;
  return { ...schema, format: type === 'number' ? 'double' : isShort ? 'int32' : 'int64' };
};

/**
 * The schema without the null that `nullable` added, and without the empty text that `optional` allows beside
 * it; null where neither was added.
 */
const nullStripped = ({ type, ...schema }: Json): Json | null => {
  if (!Array.isArray(type) || !isNullable(type)) return null;
  const values = schema.enum as readonly unknown[] | undefined;
  return {
    type: type[0],
    ...schema,
    ...(values ? { enum: values.filter((value) => value !== null && value !== '') } : {}),
  };
};
