import { counted } from '../kernel/counted.ts';
import { escapePointer, type Fault } from '../kernel/fault.ts';

type Params = Readonly<Record<string, unknown>>;

/** A validator's error: a value breaks a keyword of `parentSchema`. */
export type SchemaError = Readonly<{
  keyword: string;
  instancePath: string;
  params: Params;
  parentSchema?: Params;
}>;

/** The fault of a validator's error, in a sentence for the sender of the value. */
export const faultOf = ({ keyword, instancePath, params, parentSchema }: SchemaError): Fault => {
  const member = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  const pointer = typeof member === 'string' ? `${instancePath}/${escapePointer(member)}` : instancePath;
  const detail = sentences[keyword]?.(params) ?? 'is not valid';
  const description = parentSchema?.description;
  // A pattern needs its description to be understood.
  return { pointer, detail: keyword === 'pattern' && description ? `${detail}: ${description}` : detail };
};

// null and empty text mean absent in optional members: no sentence suggests sending them.
const isSuggested = (value: unknown): boolean => value !== null && value !== '';
const OR_EMPTY = /^\^\$\|/;

const json = (value: unknown): string => JSON.stringify(value);
const limited = (text: string) => (params: Params) => `${text} ${params.limit}`;
const sized = (text: string, what: string) => (params: Params) =>
  `${text} ${counted(Number(params.limit), what)}`;
const NO_FORM = () => 'has none of the permitted forms';

/** The sentence of each JSON Schema keyword. */
const sentences: Readonly<Record<string, (params: Params) => string>> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a known member',
  unevaluatedProperties: () => 'is not a known member',
  type: ({ type }) => `must be ${[type].flat().map(typeName).join(' or ')}`,
  enum: ({ allowedValues }) =>
    `must be one of ${(allowedValues as unknown[]).filter(isSuggested).map(json).join(', ')}`,
  const: ({ allowedValue }) => `must be ${json(allowedValue)}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must be at least ${counted(Number(limit), 'character')} long`,
  maxLength: ({ limit }) => `must be at most ${counted(Number(limit), 'character')} long`,
  pattern: ({ pattern }) => `must match the pattern ${String(pattern).replace(OR_EMPTY, '')}`,
  format: ({ format }) => `must be ${FORMATS[String(format)] ?? `a valid ${format}`}`,
  minimum: limited('must be at least'),
  maximum: limited('must be at most'),
  exclusiveMinimum: limited('must be more than'),
  exclusiveMaximum: limited('must be less than'),
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  minItems: sized('must have at least', 'item'),
  maxItems: sized('must have at most', 'item'),
  uniqueItems: ({ i, j }) => `must not have equal items: those at ${j} and ${i} are`,
  minProperties: sized('must have at least', 'member'),
  maxProperties: sized('must have at most', 'member'),
  propertyNames: ({ propertyName }) => `must not have a member named ${json(propertyName)}`,
  anyOf: NO_FORM,
  oneOf: NO_FORM,
  not: () => 'has a form that is not permitted',
};

const typeName = (type: unknown): string => {
  if (type === 'null') return 'null';
  return `${/^[aeiou]/.test(String(type)) ? 'an' : 'a'} ${type}`;
};

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-11-21',
  'date-time': 'a time with its zone such as 2026-11-21T10:46:00Z',
  email: 'an e-mail address such as ann@example.com',
  uri: 'an absolute URL such as https://example.com/hooks',
  uuid: 'a UUID',
};
