import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { Fault } from '../kernel/fault.ts';
import { faultOf } from './faultText.ts';
import { matching } from './patterns.ts';

type Check = (value: unknown) => readonly Fault[];

/** Compiled checks are kept, since compiling takes longer than reading a small file. */
const MAX_COMPILED = 20;
const foreignChecks = new Map<string, Check>();

/**
 * A check of values against one of the service's own JSON Schemas (2020-12, with formats): it gives every
 * fault of a value and never changes it. It compiles on first use, since compiling all schemas takes a tenth
 * of the startup; that first check throws for an invalid schema.
 */
export const compile = (schema: object): Check => {
  let compiled: Check | undefined;
  return (value) => {
    compiled ??= check(ownValidator(), schema);
    return compiled(value);
  };
};

/**
 * As `compile`, for a schema of a workflow version, in the processes that read documents: a value on which a
 * `pattern` exceeds its time counts as not matching. The most recent ones stay compiled, since documents of
 * one version follow one another.
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
  // Errors then include the schema, whose description explains a pattern.
  verbose: true,
} as const;

const withFormats = (ajv: Ajv2020): Ajv2020 => {
  ajvFormats.default(ajv);
  return ajv;
};

// One for all of the service's own schemas. It keeps what it compiles, so a foreign schema gets one of its
// own.
let ownAjv: Ajv2020 | undefined;

const ownValidator = (): Ajv2020 => {
  ownAjv ??= withFormats(new Ajv2020(options));
  return ownAjv;
};

const foreignValidator = (): Ajv2020 =>
  withFormats(new Ajv2020({ ...options, code: { regExp: timedEngine } }));

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
