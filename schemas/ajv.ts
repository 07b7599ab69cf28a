import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { Fault } from '../kernel/fault.ts';
import { faultOf } from './faultText.ts';
import { matching } from './patterns.ts';

type Check = (value: unknown) => readonly Fault[];

/** To compile a schema takes longer than to read a small file. */
const MOST_KEPT = 20;
const ofForeigners = new Map<string, Check>();

/**
 * A check of values against a JSON Schema (2020-12, with formats) of our own: it names every fault of a
 * value; an empty list means valid. Values are never changed. The schema is compiled once, when it is first
 * needed, since all of them take a tenth of the service's start: that first check throws when the schema
 * itself is wrong.
 */
export const compile = (schema: object): Check => {
  let compiled: Check | undefined;
  return (value) => {
    compiled ??= check(own(), schema);
    return compiled(value);
  };
};

/**
 * As `compile`, for a schema that somebody else wrote (a workflow version), in the processes that read
 * documents: a value on which a `pattern` needs too long counts as not matching. Those last used stay
 * compiled: documents of one version come one after the other.
 */
export const compileForeign = (schema: object): Check => {
  const text = JSON.stringify(schema);
  const compiled = ofForeigners.get(text) ?? check(foreign(), schema);
  ofForeigners.delete(text);
  ofForeigners.set(text, compiled);
  const [longestUnused] = ofForeigners.keys();
  if (ofForeigners.size > MOST_KEPT && longestUnused !== undefined) ofForeigners.delete(longestUnused);
  return compiled;
};

const options = {
  ...{ allErrors: true, strict: true, strictTypes: false, strictRequired: false },
  // A schema is not held to that of schemas, which takes longer to compile than all that a document's fields
  // need: tests do that with ours.
  ...{ meta: false, validateSchema: false },
  // Errors then carry the schema that was broken: its description tells what a pattern means.
  verbose: true,
} as const;

const withFormats = (ajv: Ajv2020): Ajv2020 => {
  ajvFormats.default(ajv);
  return ajv;
};

// One for all schemas of our own. It keeps what it has compiled, so foreign schemas get one each.
let ofOurOwn: Ajv2020 | undefined;

const own = (): Ajv2020 => {
  ofOurOwn ??= withFormats(new Ajv2020(options));
  return ofOurOwn;
};

const foreign = (): Ajv2020 => withFormats(new Ajv2020({ ...options, code: { regExp: engine } }));

const check = (ajv: Ajv2020, schema: object): Check => {
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(faultOf));
};

const timedPattern = (pattern: string, flags: string) => ({
  test: (text: string): boolean => matching(pattern, [text]).length === 1,
  // Ajv caches patterns by this text: without it every pattern would be the first one.
  toString: () => `/${pattern}/${flags}`,
});

const engine = Object.assign(timedPattern, { code: 'timedPattern' });
