import { counted } from '../kernel/counted.ts';

// null and empty text mean absent in optional members: no sentence suggests sending them.
const isSuggested = (value: unknown): boolean => value !== null && value !== '';
const OR_EMPTY = /^\^\$\|/;

type Params = Readonly<Record<string, unknown>>;

const json = (value: unknown): string => JSON.stringify(value);
const limited = (text: string) => (params: Params) => `${text} ${params.limit}`;
const sized = (text: string, what: string) => (params: Params) =>
  `${text} ${counted(Number(params.limit), what)}`;

/** The sentence of each JSON Schema keyword that a schema of ours uses. */
const sentences: Readonly<Record<string, (params: Params) => string>> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a known member',
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
  minItems: sized('must have at least', 'item'),
  maxItems: sized('must have at most', 'item'),
  uniqueItems: ({ i, j }) => `must not have equal items: those at ${j} and ${i} are`,
  maxProperties: sized('must have at most', 'member'),
  anyOf: () => 'has none of the permitted forms',
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
};

/** What a value is to be, by the keyword that it breaks and that keyword’s parameters, as ajv has them. */
export const detailOf = (keyword: string, params: Params): string =>
  sentences[keyword]?.(params) ?? 'is not valid';
