import type { FieldResult, FieldValue } from '../../domain/submission/processingResult.ts';
import type { OutputField } from '../../domain/workflow.ts';
import { escapePointer, type Fault } from '../../kernel/fault.ts';
import { compile } from '../../schemas/ajv.ts';
import { ExtractorFound, ExtractorRefusal } from '../../schemas/extractor.ts';
import { fieldFaults } from '../../schemas/fieldValues.ts';
import { jsonFault } from '../../schemas/jsonFault.ts';
import { unsafeJsonFaults } from '../../schemas/unsafeJson.ts';
import { Unreadable } from '../errors.ts';
import type { Outcome, VersionFields } from '../types.ts';
import { conclude, NOTHING } from '../understand.ts';

/** The confidence of a value for which the extractor gives none: below the default `reviewBelow`. */
const DEFAULT_CONFIDENCE = 0.5;
/** How much is stored of a value that is not of its field's type. */
const MAX_TEXT = 200;
const MAX_FAULTS = 5;
const MAX_REASON = 500;

const foundFaults = compile(ExtractorFound);
const refusalFaults = compile(ExtractorRefusal);

/**
 * The outcome of an http extractor's answer. A value that is not of its field's type is missing, and a
 * finding. Throws Unreadable, which names the places, for an answer that is no JSON, breaks its schema or
 * names unknown fields.
 */
export const outcomeOfAnswer = (version: VersionFields, answer: string): Outcome => {
  // A byte order mark is no JSON, but a reader may ignore it (RFC 8259, section 8.1).
  const text = answer.replace(/^\uFEFF/, '');
  const value = parse(text);
  const isRefusal = typeof value === 'object' && value !== null && 'status' in value;
  refuse([...unsafeJsonFaults(text), ...(isRefusal ? faultsOfRefusal(value) : foundFaults(value))]);
  if (isRefusal) {
    const { status, reason } = value as ExtractorRefusal;
    return { kind: status, reason: reason.trim() };
  }
  return extractedFrom(version, value as ExtractorFound);
};

/** A reason is for people: it must not be blank. */
const faultsOfRefusal = (value: object): readonly Fault[] => {
  const isBlank = 'reason' in value && typeof value.reason === 'string' && value.reason.trim() === '';
  return [...refusalFaults(value), ...(isBlank ? [{ pointer: '/reason', detail: 'must not be blank' }] : [])];
};

const extractedFrom = (
  version: VersionFields,
  { fields, confidences = {}, summary }: ExtractorFound,
): Outcome => {
  const { outputSchema } = version;
  refuse([
    ...unknown('/fields', fields, outputSchema),
    ...unknown('/confidences', confidences, outputSchema),
  ]);
  const found = outputSchema.map((field) => {
    const value = Object.hasOwn(fields, field.name) ? fields[field.name] : null;
    const confidence = Object.hasOwn(confidences, field.name) ? confidences[field.name] : undefined;
    return { field, result: resultOf(field, value, confidence ?? DEFAULT_CONFIDENCE) };
  });
  const outcome = conclude(version, found, { pages: [], entries: [] });
  return summary === undefined ? outcome : { ...outcome, aiSummary: summary };
};

const resultOf = (field: OutputField, value: unknown, confidence: number): FieldResult => {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return NOTHING;
  if (Array.isArray(value) && value.length === 0) return NOTHING;
  if (isOf(field, value)) return { value, confidence, text: null, place: null };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { ...NOTHING, text: text.slice(0, MAX_TEXT) };
};

const isOf = (field: OutputField, value: unknown): value is NonNullable<FieldValue> =>
  fieldFaults(field, value).length === 0;

const unknown = (
  pointer: string,
  named: Readonly<Record<string, unknown>>,
  fields: readonly OutputField[],
): readonly Fault[] => {
  const names = new Set(fields.map(({ name }) => name));
  return Object.keys(named)
    .filter((name) => !names.has(name))
    .map((name) => ({
      pointer: `${pointer}/${escapePointer(name)}`,
      detail: 'is not a field of the workflow version',
    }));
};

const parse = (text: string): unknown => {
  const fault = jsonFault(text);
  if (fault === null) return JSON.parse(text);
  const { line, column, expected } = fault;
  throw new Unreadable(
    `The extractor’s answer is no JSON: ${expected} is expected at line ${line}, column ${column}.`,
  );
};

const refuse = (faults: readonly Fault[]): void => {
  if (faults.length === 0) return;
  const listed = faults
    .slice(0, MAX_FAULTS)
    .map(({ pointer, detail }) => `${pointer || 'the whole'} ${detail}`);
  const more = faults.length > MAX_FAULTS ? `; and ${faults.length - MAX_FAULTS} more` : '';
  const reason = `The extractor’s answer is not valid: ${listed.join('; ')}${more}`;
  throw new Unreadable(reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : `${reason}.`);
};
