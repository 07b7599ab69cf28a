import type { Type as TypeBox } from 'typebox';

export type { Static, TObject, TSchema } from 'typebox';

const builders = {
  Array: (items, options) => schema({ type: 'array', items, ...options }),
  Boolean: (options) => schema({ type: 'boolean', ...options }),
  Integer: (options) => schema({ type: 'integer', ...options }),
  Literal: (value, options) => schema({ type: typeof value, const: value, ...options }),
  Null: (options) => schema({ type: 'null', ...options }),
  Number: (options) => schema({ type: 'number', ...options }),
  Object: (properties, options) => {
    const required = Object.keys(properties).filter((name) => !isOptional(properties[name]));
    return schema({ type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options });
  },
  Optional: (inner) => Object.defineProperty(schema({ ...inner }), OPTIONAL, { value: true }),
  Record: (_names, values, options) =>
    schema({ type: 'object', patternProperties: { '^.*$': values }, ...options }),
  String: (options) => schema({ type: 'string', ...options }),
  Union: (anyOf, options) => schema({ anyOf, ...options }),
  Unknown: (options) => schema({ ...options }),
  Unsafe: (inner) => schema({ ...inner }),
} satisfies Partial<typeof TypeBox>;

/**
 * The builders of TypeBox that the service uses: its types, and the same JSON Schema. The package itself is
 * not loaded: its 700 modules cost each process 0.2 s of processor time.
 */
export const Type: Pick<typeof TypeBox, keyof typeof builders> = builders;

// Not enumerable: a schema that is spread into another one is no optional member there.
const OPTIONAL = '~optional';
const isOptional = (member: object | undefined): boolean => member !== undefined && OPTIONAL in member;

/** The marks that TypeBox's types have beside the JSON Schema are missing: nothing reads them. */
const schema = (members: object): never => members as never;
