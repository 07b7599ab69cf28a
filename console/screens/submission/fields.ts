import type { SubmissionDetail } from '../../../schemas/submissions.ts';
import type { WorkflowContract } from '../../../schemas/workflows.ts';
import { member } from '../../app/members.ts';
import { type Certainty, certaintyOf } from '../../parts/marks.tsx';
import { say, texts } from '../../texts.ts';

type Contract = WorkflowContract['outputSchema'][number];

/** A part of a page, from its top left corner, in the units of its size. */
export type Box = Readonly<{ left: number; top: number; right: number; bottom: number }>;

/** Where a value was read; text and JSON have no size and no box. */
export type Place = Readonly<{
  fileId: string;
  page: number;
  size: Readonly<{ width: number; height: number }> | null;
  box: Box | null;
}>;

/** What was read of a field, as in the `result` of the built-in extractors; others may leave members out. */
type Read = Readonly<{ value?: unknown; text?: string | null; place?: Place | null }>;
export type Result = Readonly<{ fields?: Readonly<Record<string, Read>> }> | string | null;

/** A field of the submission: what its workflow says of it, what the machine read, and its value now. */
export type Field = Pick<Contract, 'name' | 'type' | 'required' | 'description' | 'validation' | 'columns'> &
  Readonly<{
    label: string;
    machine: unknown;
    value: unknown;
    text: string | null;
    place: Place | null;
    confidence: number | null;
    /** Whether a person gave the value. */
    isCorrected: boolean;
    /** Why a person must look at it; none once a person has given its value, or decided. */
    reasons: readonly Reason['code'][];
  }>;

type Values = Readonly<Record<string, unknown>>;

const record = (value: unknown): Values =>
  typeof value === 'object' && value !== null ? (value as Values) : {};

/** What fields take of a submission, or of a document on trial. */
type Detail = Pick<
  SubmissionDetail,
  'extractedData' | 'fieldConfidences' | 'submissionStatus' | 'reviewReasons' | 'corrections'
>;

/**
 * The fields in the order of the workflow. Without its contract (it may be assigned no more) they are what
 * the submission has, as texts.
 */
export const fieldsOf = (
  detail: Detail,
  result: Result,
  contract: readonly Contract[] | null,
): readonly Field[] => {
  const [values, confidences] = [record(detail.extractedData), record(detail.fieldConfidences)];
  const read = record(typeof result === 'object' ? result?.fields : null) as Readonly<Record<string, Read>>;
  const known = contract ?? Object.keys(values).map(unknownField);
  const open = detail.submissionStatus === 'review' ? detail.reviewReasons : [];
  return known.map((given) => {
    const { name, label } = given;
    const { text = null, place = null } = member(read, name) ?? {};
    const corrected = detail.corrections.find(({ field }) => field === name);
    const confidence = member(confidences, name);
    const value = member(values, name) ?? null;
    return {
      ...given,
      ...{ label: label ?? name, text, value },
      // Nobody said where a value stands that was typed.
      place: corrected ? (corrected.place ?? null) : place,
      machine: corrected ? corrected.machineValue : value,
      confidence: typeof confidence === 'number' ? confidence : null,
      isCorrected: corrected !== undefined,
      reasons: corrected ? [] : open.filter(({ field }) => field === name).map(({ code }) => code),
    };
  });
};

const unknownField = (name: string): Contract => ({
  name,
  label: name,
  type: 'string',
  required: false,
  description: null,
  validation: null,
  columns: null,
});

/** How urgently a field needs a look: the smaller, the sooner. */
const urgency = ({ isCorrected, reasons, confidence, required, value }: Field): number => {
  if (isCorrected) return 3;
  if (reasons.length > 0) return 0;
  if (value === null) return required ? 0 : 3;
  return { doubtful: 1, none: 1, unsure: 2, sure: 3 }[certaintyOf(confidence)];
};

/** Whether a field needs a look. */
export const isDoubtful = (field: Field): boolean => urgency(field) < 3;

/** The doubtful ones first, otherwise in their own order. */
export const doubtfulFirst = (fields: readonly Field[]): readonly Field[] =>
  fields.toSorted((a, b) => urgency(a) - urgency(b));

/** A value as it is shown: of a table how many rows it has. */
export const shownAs = (value: unknown): string =>
  Array.isArray(value) ? say(texts.fields.grid.rows, { count: value.length }) : asText(value);

/** A value as it is typed. */
export const asText = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

type Reason = SubmissionDetail['reviewReasons'][number];

type SubmittedFile = SubmissionDetail['files'][number];

/** Why a person must look at a submission, in a sentence. */
export const reasonText = (
  { files }: Readonly<{ files: readonly Pick<SubmittedFile, 'id' | 'label'>[] }>,
  { code, place }: Reason,
): string =>
  say(texts.fields.reasons[code], {
    page: place?.page ?? '',
    file: files.find(({ id }) => id === place?.fileId)?.label ?? '',
  });

/** Whether two values are the same to a reader. */
export const isSame = (one: unknown, other: unknown): boolean => asText(one) === asText(other);

/**
 * How sure a field's value is: none is sure that a reason for the review names. What a person gave is a
 * person's.
 */
export const certainty = (field: Field): Certainty => {
  if (field.isCorrected) return 'person';
  if (field.value === null && !field.required && field.reasons.length === 0) return 'absent';
  const found: Certainty = certaintyOf(field.value === null ? null : field.confidence);
  return found === 'sure' && field.reasons.length > 0 ? 'unsure' : found;
};
