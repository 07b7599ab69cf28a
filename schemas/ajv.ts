import { Script } from 'node:vm';
import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

/** What is wrong with a value: where (a JSON Pointer, '' for the whole) and what to mend. */
export type Fault = Readonly<{ pointer: string; detail: string }>;
export type Check = (value: unknown) => readonly Fault[];

const PATTERN_MS = 100;

/**
 * Compiles a JSON Schema (2020-12, with formats) of our own, once, into a check that names every fault of a value;
 * an empty list means valid. Values are never changed. Throws when the schema itself is wrong.
 */
export const compile = (schema: object): Check => check(own(), schema);

/**
 * As `compile`, for a schema that somebody else wrote (a workflow definition): each `pattern` gets 100 ms, and a
 * value on which it needs longer counts as not matching, so that no pattern can hang the process.
 */
export const compileForeign = (schema: object): Check => check(foreign(), schema);

/** True when `pattern` (with the flags `u`) is found in `text` within 100 ms. Throws when it is no pattern. */
export const patternFound = (pattern: string, text: string): boolean => timedPattern(pattern, 'u').test(text);

const options = { allErrors: true, strict: true, strictTypes: false, strictRequired: false } as const;

const own = (): Ajv2020 => withFormats(new Ajv2020(options));

const foreign = (): Ajv2020 => withFormats(new Ajv2020({ ...options, code: { regExp: timed } }));

const withFormats = (ajv: Ajv2020): Ajv2020 => {
  ajvFormats.default(ajv);
  return ajv;
};

const check = (ajv: Ajv2020, schema: object): Check => {
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(fault));
};

const timedPattern = (pattern: string, flags: string) => {
  new RegExp(pattern, flags);
  const script = new Script('new RegExp(pattern, flags).test(text)');
  const test = (text: string): boolean => {
    try {
      return script.runInNewContext({ pattern, flags, text }, { timeout: PATTERN_MS }) === true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
      throw error;
    }
  };
  // Ajv caches patterns by this text: without it every pattern would be the first one.
  return { test, toString: () => `/${pattern}/${flags}` };
};

const timed = Object.assign(timedPattern, { code: 'timedPattern' });

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
    default:
      return message ?? 'is not valid';
  }
};

const escapePointer = (member: string): string => member.replaceAll('~', '~0').replaceAll('/', '~1');
