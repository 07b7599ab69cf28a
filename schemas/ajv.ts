import { Script } from 'node:vm';
import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { escapePointer, type Fault } from '../domain/fault.ts';

type Check = (value: unknown) => readonly Fault[];

/** To compile a schema takes longer than to read a small file. */
const MOST_KEPT = 20;
const ofForeigners = new Map<string, Check>();

const PATTERN_MS = 100;
const PATTERN_AGAIN_MS = 400;

/**
 * A check of values against a JSON Schema (2020-12, with formats) of our own: it names every fault of a value; an empty list means valid. Values
 * are never changed. The schema is compiled once, when it is first needed, since all of them take a tenth of the service's start: that first
 * check throws when the schema itself is wrong.
 */
export const compile = (schema: object): Check => {
  let compiled: Check | undefined;
  return (value) => {
    compiled ??= check(own(), schema);
    return compiled(value);
  };
};

/**
 * As `compile`, for a schema that somebody else wrote (a workflow definition): each `pattern` gets 100 ms and then
 * 400 ms, and a value on which it needs longer counts as not matching, so that no pattern can hang the process. Those last used stay compiled: documents of one workflow version come one after the other.
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

/**
 * Those of `texts` in which a foreign `pattern` (with the flag `u`) is found; none when all together need longer than
 * that. Throws when it is no pattern.
 */
export const matching = (pattern: string, texts: readonly string[]): readonly string[] => {
  const found = timed(pattern, 'u', texts);
  return texts.filter((_, index) => found[index]);
};

const options = {
  ...{ allErrors: true, strict: true, strictTypes: false, strictRequired: false },
  // A schema is not held to that of schemas, which takes longer to compile than all that a document's fields need: tests do that with ours.
  ...{ meta: false, validateSchema: false },
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
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(fault));
};

const TEST = new Script('const regExp = new RegExp(pattern, flags); texts.map((text) => regExp.test(text))');

/** Whether each text matches; a regular expression can only be stopped from outside, as `node:vm` does. */
const timed = (pattern: string, flags: string, texts: readonly string[]): readonly boolean[] => {
  new RegExp(pattern, flags);
  // The limit is of elapsed time: on a busy machine an innocent pattern may meet it once, hardly a second, longer one.
  for (const timeout of [PATTERN_MS, PATTERN_AGAIN_MS]) {
    try {
      return TEST.runInNewContext({ pattern, flags, texts }, { timeout });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    }
  }
  return [];
};

const timedPattern = (pattern: string, flags: string) => ({
  test: (text: string): boolean => timed(pattern, flags, [text])[0] === true,
  // Ajv caches patterns by this text: without it every pattern would be the first one.
  toString: () => `/${pattern}/${flags}`,
});

const engine = Object.assign(timedPattern, { code: 'timedPattern' });

const fault = (error: ErrorObject): Fault => ({ pointer: pointerOf(error), detail: detailOf(error) });

const pointerOf = ({ instancePath, params }: ErrorObject): string => {
  const member = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  return typeof member === 'string' ? `${instancePath}/${escapePointer(member)}` : instancePath;
};

const detailOf = ({ keyword, message, params }: ErrorObject): string => {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a known member';
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'type':
      return `must be ${[params.type].flat().join(' or ')}`;
    default:
      return message ?? 'is not valid';
  }
};
