import { modes } from './scope.ts';
import { type Static, type TObject, type TSchema, Type } from './typeBox.ts';

export { type Static, type TSchema, Type };

/** What a schema describes, read-only all through. */
type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Given<T[Name]> }
    : T;

/** The read-only type of a schema's values. */
export type Of<S extends TSchema> = Given<Static<S>>;

/** The read-only type of an object with these members. */
export type OfMembers<P extends Record<string, TSchema>> = Of<TObject<P>>;

/** An object that has no other members than these. */
export const closed = <P extends Record<string, TSchema>>(members: P) =>
  Type.Object(members, { additionalProperties: false });

/** One of the given texts. */
export const oneOf = <const V extends string>(values: readonly V[]) =>
  Type.Unsafe<V>({ type: 'string', enum: values });

/** The schema's values, or null where the fact is unknown. */
export const nullable = <S extends TSchema>(schema: S) =>
  Type.Unsafe<Static<S> | null>(withNull(schema as SchemaMembers));

/** The schema's values, or null, which it mostly is: examples say so. */
export const seldom = <S extends TSchema>(schema: S) => {
  const { examples: _, ...rest } = schema as SchemaMembers;
  return Type.Unsafe<Static<S> | null>(withNull(rest));
};

/** The schema, with an example of its values, from which examples of bodies and answers are composed. */
export const example = <S extends TSchema>(schema: S, value: Static<S>) =>
  Type.Unsafe<Static<S>>({ ...schema, examples: [value] });

/** The schema, with what its values mean in this place, and an example of that. */
export const meaning = <S extends TSchema>(
  schema: S,
  description: string,
  ...examples: readonly Static<S>[]
) => Type.Unsafe<Static<S>>({ ...schema, description, ...(examples.length > 0 ? { examples } : {}) });

/**
 * A member of a request body that may be left out. `null` means the same, and so does empty text: `given`
 * removes them before the body is checked.
 */
export const optional = <S extends TSchema>(schema: S) =>
  Type.Optional(Type.Unsafe<Static<S>>(orNothing(schema as SchemaMembers)));

type SchemaMembers = Readonly<{
  type?: unknown;
  enum?: readonly unknown[];
  examples?: unknown;
  pattern?: string;
  minLength?: number;
}>;

const orNothing = (schema: SchemaMembers): object => {
  if (schema.type !== 'string') return withNull(schema);
  const { minLength: _, pattern, enum: values, ...rest } = schema;
  return withNull({
    ...rest,
    ...(pattern ? { pattern: `^$|${pattern}` } : {}),
    ...(values ? { enum: [...values, ''] } : {}),
  });
};

const withNull = (schema: SchemaMembers): object => {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const values = schema.enum ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [schema.type, 'null'], ...values };
};

/** Any JSON object. */
export const anyObject = (description: string, ...examples: readonly Readonly<Record<string, unknown>>[]) =>
  meaning(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    description,
    ...examples,
  );

/** JSON whose shape belongs to the workflow or the client, or null. */
export const opaque = (description: string) => Type.Unknown({ description });

/** An identifier: a type prefix and a lower-case ULID (formats-4). */
export const id = (prefix: string) =>
  Type.String({ pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`, examples: [`${prefix}_${EXAMPLE}`] });

const EXAMPLE = '01hv6x3m8q2r5t7w9y0a1b2c3d';

/** An event's identifier: a UUID in lower case. */
export const EventId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  examples: ['01932d8a-7c3e-7f60-9b1a-2f4c6d8e0a1b'],
});

/**
 * A delivery's identifier: its event, and after a dot the ULID of the endpoint if it goes to one
 * (deliveries-8).
 */
export const DeliveryId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\\.[0-9a-z]{26})?$',
  examples: ['01932d8a-7c3e-7f60-9b1a-2f4c6d8e0a1b'],
});

/** The times in examples, which are about one receipt: in their order. */
export const times = {
  made: '2026-05-04T08:12:00.000Z',
  opened: '2026-11-21T10:46:00.000Z',
  processed: '2026-11-21T10:46:07.412Z',
  decided: '2026-11-21T11:02:31.090Z',
  expires: '2026-11-22T10:46:00.000Z',
} as const;

/** A time in UTC, ISO 8601 with milliseconds. */
export const Time = Type.String({ format: 'date-time', examples: [times.opened] });

/** A share from 0 to 1. */
export const Share = Type.Number({ minimum: 0, maximum: 1 });

/** A workflow's name in addresses, chosen at publish. */
export const Slug = Type.String({
  pattern: '^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$',
  description: 'up to 64 lower-case letters, digits and hyphens, with no hyphen at either end',
  examples: ['receipt'],
});

/** A media type without parameters. */
export const MediaType = Type.String({
  pattern: '^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$',
  description: 'a media type in lower case, without parameters',
  examples: ['image/jpeg'],
});

/** Whether data are live or of a test. */
export const Mode = meaning(oneOf(modes), 'which data it is part of: neither sees the other');

/** A published version's number. */
export const Version = Type.Integer({ minimum: 1, examples: [3] });

/** Which version of which workflow. */
export const WorkflowReference = Type.Object({ slug: Slug, version: Version });

/** A text, and what it means. */
export const text = (description: string, ...examples: readonly string[]) =>
  meaning(Type.String(), description, ...examples);

/** A whole number, and what it means. */
export const whole = (description: string, ...examples: readonly number[]) =>
  meaning(Type.Integer(), description, ...examples);

/** A number from 0 to 1, and what it means. */
export const share = (description: string) => Type.Number({ description: `${description}, from 0 to 1` });

/** A time in UTC (ISO 8601), and what it means. */
export const time = (description: string, ...examples: readonly string[]) =>
  meaning(Time, description, ...examples);

/** An object with values of one kind, by any names. */
export const record = <S extends TSchema>(
  values: S,
  description: string,
  ...examples: readonly Readonly<Record<string, Static<S>>>[]
) =>
  meaning(
    Type.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: values }),
    description,
    ...examples,
  );

/** An event's private part as it is read: open, or redacted since its key was destroyed. */
export const privatePart = <P extends Record<string, TSchema>>(members: P) =>
  Type.Union([closed(members), closed({ redacted: Type.Literal(true) })]);

/** Where a list continues. */
export const Pagination = Type.Object({
  hasMore: example(Type.Boolean(), false),
  nextCursor: nullable(Type.String()),
});

/** A list's envelope (paging-1). */
export const pageOf = <S extends TSchema>(item: S) =>
  Type.Object({ data: Type.Array(item), pagination: Pagination });
