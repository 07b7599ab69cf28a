import { escapePointer, type Fault } from '../../kernel/fault.ts';
import { detailOf } from '../../schemas/sentences.ts';

type Schema = Readonly<{
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean;
  items?: Schema | false;
  prefixItems?: readonly Schema[];
  format?: string;
}>;

/**
 * A check of values against the JSON Schemas of packages, which gives the first fault: browsers let no schema
 * be compiled (their policy forbids it), and a compiler would be larger than the console. It knows the
 * keywords that these schemas use, and no others: a test says so.
 */
export const checkOf =
  (schema: object) =>
  (value: unknown): readonly Fault[] =>
    faultsOf(schema, value, '');

const faultsOf = (schema: Schema, value: unknown, pointer: string): readonly Fault[] => {
  const wrong = wrongKeyword(schema, value);
  if (wrong !== null) return [{ pointer, detail: detailOf(...wrong) }];
  if (Array.isArray(value)) return firstOf(value.entries(), (index) => itemSchema(schema, index), pointer);
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {}, required = [], additionalProperties } = schema;
  const at = (name: string) => `${pointer}/${escapePointer(name)}`;
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return [{ pointer: at(missing), detail: detailOf('required', {}) }];
  const names = Object.keys(value);
  const extra = names.find((name) => additionalProperties === false && !Object.hasOwn(properties, name));
  if (extra !== undefined) return [{ pointer: at(extra), detail: detailOf('additionalProperties', {}) }];
  const own = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name));
  return firstOf(own, (name) => properties[name], pointer);
};

const firstOf = <N extends string | number>(
  entries: Iterable<readonly [N, unknown]>,
  schemaOf: (name: N) => Schema | false | undefined,
  pointer: string,
): readonly Fault[] => {
  for (const [name, value] of entries) {
    const schema = schemaOf(name);
    const at = `${pointer}/${escapePointer(String(name))}`;
    const found =
      schema === false
        ? [{ pointer: at, detail: 'is one too many' }]
        : schema
          ? faultsOf(schema, value, at)
          : [];
    if (found.length > 0) return found;
  }
  return [];
};

const itemSchema = ({ items, prefixItems = [] }: Schema, index: number): Schema | false | undefined =>
  prefixItems[index] ?? items;

type Wrong = readonly [keyword: string, parameters: Readonly<Record<string, unknown>>];

/** The keyword that a value by itself breaks, and its parameters as sentences have them; null for none. */
const wrongKeyword = (schema: Schema, value: unknown): Wrong | null => {
  const { type, pattern, minLength = 0, maxLength = Infinity, minItems = 0 } = schema;
  if (type !== undefined && ![type].flat().some((one) => isOf(one, value))) return ['type', { type }];
  if ('const' in schema && value !== schema.const) return ['const', { allowedValue: schema.const }];
  if (schema.enum && !schema.enum.includes(value)) return ['enum', { allowedValues: schema.enum }];
  if (typeof value === 'number') return wrongNumber(schema, value);
  if (Array.isArray(value) && value.length < minItems) return ['minItems', { limit: minItems }];
  if (typeof value !== 'string') return null;
  const length = [...value].length;
  if (length < minLength) return ['minLength', { limit: minLength }];
  if (length > maxLength) return ['maxLength', { limit: maxLength }];
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return ['pattern', { pattern }];
  return schema.format === undefined || isTime(value) ? null : ['format', { format: schema.format }];
};

const wrongNumber = ({ minimum = -Infinity, maximum = Infinity }: Schema, value: number): Wrong | null => {
  if (value < minimum) return ['minimum', { limit: minimum }];
  return value > maximum ? ['maximum', { limit: maximum }] : null;
};

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

const isTime = (text: string): boolean => TIME.test(text) && !Number.isNaN(Date.parse(text));

const isOf = (type: string, value: unknown): boolean => {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === (type === 'number' ? 'number' : type);
};
