import { isObject } from '../../kernel/changes.ts';
import * as schemaModules from '../../schemas/modules.ts';
import type { Json, Refer } from './types.ts';

/** Objects and enumerations have names; short texts and numbers are clearer in place. */
const isNameable = (value: unknown): value is Json =>
  isObject(value) && (value.type === 'object' || Array.isArray(value.enum));

/** The names of exported schemas by their JSON: a schema within another one is a copy. */
const names: ReadonlyMap<string, string> = new Map(
  Object.values(schemaModules)
    .flatMap((exports: object) => Object.entries(exports))
    .flatMap(([name, value]) => (isNameable(value) ? [[JSON.stringify(value), name] as const] : [])),
);

/** Collects the schemas that the document refers to by name; `schemas` gives them, sorted. */
export const createComponents = (): Readonly<{ refer: Refer; schemas(): Readonly<Record<string, Json>> }> => {
  const used = new Map<string, Json>();
  const named = (schema: Json): Json | null => {
    const name = names.get(JSON.stringify(schema));
    if (name === undefined) return null;
    if (!used.has(name)) {
      used.set(name, {});
      used.set(name, membersOf(schema));
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  /** A reference to a named schema, or to that or null. */
  const referenceTo = (schema: Json): Json | null => {
    const withoutNull = nullStripped(schema);
    const nullable = withoutNull && named(withoutNull);
    return nullable ? { anyOf: [nullable, { type: 'null' }] } : named(schema);
  };
  const membersOf = (schema: Json): Json =>
    Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, referred(value)]));
  const referred = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referred);
    if (!isObject(value)) return value;
    const reference = named(value);
    if (reference) return reference;
    const { description, ...plain } = value;
    const inPlace = referenceTo(plain);
    return inPlace ? { ...inPlace, description } : (referenceTo(value) ?? membersOf(value));
  };
  return {
    refer: (schema) => referred(schema) as Json,
    schemas: () => Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};

/** The schema without the null that `nullable` added; null where it added none. */
const nullStripped = ({ type, ...schema }: Json): Json | null => {
  if (!Array.isArray(type) || type.length !== 2 || type[1] !== 'null') return null;
  const values = schema.enum as readonly unknown[] | undefined;
  return { type: type[0], ...schema, ...(values ? { enum: values.filter((value) => value !== null) } : {}) };
};
