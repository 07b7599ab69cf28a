import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { escapePointer, type Fault } from '../kernel/fault.ts';
import { once } from '../kernel/once.ts';
import { matching } from './patterns.ts';
import { detailOf } from './sentences.ts';

type Check = (value: unknown) => readonly Fault[];

/** The most recent ones stay compiled: compiling takes longer than reading a small file. */
const MAX_COMPILED = 20;
const foreignChecks = new Map<string, Check>();

/**
 * A check of values against one of the service's own JSON Schemas (2020-12, with formats): it gives every
 * fault of a value. It compiles on first use, which throws for an invalid schema: compiling all takes a tenth
 * of the startup.
 */
export const compile = (schema: object): Check => {
  const compiled = once(() => check(ownValidator(), schema));
  return (value) => compiled()(value);
};

/**
 * As `compile`, for a schema of a workflow version, in the processes that read documents: a value on which a
 * `pattern` exceeds its time counts as not matching.
 */
export const compileForeign = (schema: object): Check => {
  const text = JSON.stringify(schema);
  const compiled = foreignChecks.get(text) ?? check(foreignValidator(), schema);
  foreignChecks.delete(text);
  foreignChecks.set(text, compiled);
  const [leastRecent] = foreignChecks.keys();
  if (foreignChecks.size > MAX_COMPILED && leastRecent !== undefined) foreignChecks.delete(leastRecent);
  return compiled;
};

const options = {
  ...{ allErrors: true, strict: true, strictTypes: false, strictRequired: false },
  // Schemas are not checked against the meta-schema, which takes longer to compile than a document's fields:
  // tests check the service's own.
  ...{ meta: false, validateSchema: false },
  // A field may be named `constructor`, which every object inherits.
  ownProperties: true,
  // Errors then include the schema, whose description explains a pattern.
  verbose: true,
  // To optimise a check's code takes longer than to compile it, and V8 does that for those that run often.
  code: { optimize: false },
} as const;

const withFormats = (ajv: Ajv2020): Ajv2020 => {
  ajvFormats.default(ajv);
  return ajv;
};

// It keeps what it compiles, so each foreign schema gets a validator of its own.
const ownValidator = once(() => withFormats(new Ajv2020(options)));

const foreignValidator = (): Ajv2020 =>
  withFormats(new Ajv2020({ ...options, code: { ...options.code, regExp: timedEngine } }));

const check = (ajv: Ajv2020, schema: object): Check => {
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(faultOf));
};

const timedPattern = (pattern: string, flags: string) => ({
  test: (text: string): boolean => matching(pattern, [text]).length === 1,
  // Ajv caches patterns by this text: without it all patterns would share one entry.
  toString: () => `/${pattern}/${flags}`,
});

const timedEngine = Object.assign(timedPattern, { code: 'timedPattern' });

type SchemaError = Pick<ErrorObject, 'keyword' | 'instancePath' | 'params' | 'parentSchema'>;

/** The fault of a validator's error, in a sentence for the sender of the value. */
export const faultOf = ({ keyword, instancePath, params, parentSchema }: SchemaError): Fault => {
  const member = params.missingProperty ?? params.additionalProperty;
  const pointer = typeof member === 'string' ? `${instancePath}/${escapePointer(member)}` : instancePath;
  const detail = detailOf(keyword, params);
  const description = parentSchema?.description;
  // A pattern needs its description to be understood.
  return { pointer, detail: keyword === 'pattern' && description ? `${detail}: ${description}` : detail };
};
