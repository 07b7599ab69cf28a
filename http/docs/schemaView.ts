import { sentence } from '../openapi/operation.ts';
import type { Json } from '../openapi/types.ts';
import { type Html, html } from './html.ts';
import { inline } from './markdown.ts';

/** The members of an object schema as a table; the type of any other schema. */
export const schemaView = (schema: Json): Html => {
  const { allOf } = schema as Readonly<{ allOf?: readonly Json[] }>;
  if (allOf) return html`${allOf.map(schemaView)}`;
  const rows = rowsOf(schema, '');
  return rows.length > 0
    ? html`<table class="members"><tbody>${rows}</tbody></table>`
    : html`<p>${typeOf(schema)} ${rulesOf(schema)}</p>`;
};

/** The type of a schema's values in a few words, with links to named schemas. */
export const typeOf = (schema: Json): Html => {
  const { $ref, anyOf, type, items } = schema as Readonly<{
    $ref?: string;
    anyOf?: readonly Json[];
    type?: string | readonly string[];
    items?: Json;
  }>;
  if ($ref) {
    const name = $ref.split('/').at(-1) ?? '';
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (anyOf) return joined(anyOf.map(typeOf));
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (type === 'array') return items ? html`list of ${typeOf(items)}` : html`list`;
  return html`${type === undefined ? 'any JSON' : [type].flat().join(' or ')}`;
};

const joined = (parts: readonly Html[]): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html` or ${part}`))}`;

type Members = Readonly<{
  properties?: Readonly<Record<string, Json>>;
  required?: readonly string[];
  items?: Json;
}>;

const rowsOf = (schema: Json, prefix: string): readonly Html[] => {
  const { properties = {}, required = [] } = schema as Members;
  return Object.entries(properties).flatMap(([name, member]) => [
    html`<tr><td><code>${prefix}${name}</code>${required.includes(name) ? null : html` <small>optional</small>`}</td>
<td>${typeOf(member)}</td><td>${described(member)}</td></tr>`,
    ...rowsOf(member, `${prefix}${name}.`),
    ...rowsOf((member as Members).items ?? {}, `${prefix}${name}[].`),
  ]);
};

const described = (schema: Json): Html =>
  html`${typeof schema.description === 'string' ? inline(sentence(schema.description)) : null} ${rulesOf(schema)}`;

const RULES: readonly (readonly [keyword: string, words: string])[] = [
  ['enum', 'one of'],
  ['format', 'format'],
  ['pattern', 'pattern'],
  ['minimum', 'from'],
  ['exclusiveMinimum', 'more than'],
  ['maximum', 'to'],
  ['minLength', 'min length'],
  ['maxLength', 'max length'],
  ['minItems', 'at least'],
  ['maxItems', 'at most'],
  ['maxProperties', 'members at most'],
  ['default', 'default'],
];

/** The sizes of numbers are for generators of clients. */
const SIZES: readonly unknown[] = ['int32', 'int64', 'double'];

const rulesOf = (schema: Json): Html => {
  const source = (schema.type === 'array' && (schema.items as Json | undefined)) || {};
  const rules = { ...source, ...schema } as Json;
  const present = RULES.filter(
    ([keyword]) => rules[keyword] !== undefined && !SIZES.includes(rules[keyword]),
  ).map(([keyword, words]) => html`<span class="rule">${words} ${valueView(rules[keyword])}</span> `);
  return html`${present}`;
};

const valueView = (value: unknown): Html =>
  Array.isArray(value)
    ? joined(value.map((each) => html`<code>${String(each)}</code>`))
    : html`<code>${String(value)}</code>`;
