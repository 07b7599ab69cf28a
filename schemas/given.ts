/** What of a schema tells its optional members. */
type Shape = Readonly<{
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  items?: Shape;
}>;

/**
 * The body without those optional members of its schema that are `null` or empty text: they mean "not given",
 * and nothing behind this sees them. What the schema does not describe member by member stays as it is.
 */
export const given = (schema: object, body: unknown): unknown => {
  const { properties, required = [], items }: Shape = schema;
  if (Array.isArray(body)) return items ? body.map((item) => given(items, item)) : body;
  if (!properties || typeof body !== 'object' || body === null) return body;
  const members = Object.entries(body).flatMap(([name, value]) => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (member === undefined) return [[name, value]];
    return !required.includes(name) && isNothing(member, value) ? [] : [[name, given(member, value)]];
  });
  return Object.fromEntries(members);
};

const isNothing = ({ type = [] }: Shape, value: unknown): boolean =>
  value === null || (value === '' && [type].flat().includes('string'));
