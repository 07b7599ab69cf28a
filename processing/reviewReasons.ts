import type { ReviewReason } from '../domain/submission/result.ts';
import type { OutputField } from '../domain/workflow.ts';
import type { Reviewing } from '../domain/workflowSettings.ts';
import type { Extracted } from './types.ts';

type Judged = Pick<Extracted, 'findings' | 'confidence' | 'extractedData' | 'fieldConfidences'>;

/** A field of which something was found, and how sure that is. */
type Found = readonly [name: string, confidence: number];

/**
 * Why extracted data need a review: a required field is missing or a value is invalid, the confidence is
 * below `reviewBelow`, or that of a field below its own line, or there is always one. No reasons: approved.
 */
export const reviewReasons = (
  extracted: Judged,
  { review, reviewBelow, fieldsBelow = {} }: Reviewing,
  fields: readonly Pick<OutputField, 'name' | 'required'>[] = [],
): readonly ReviewReason[] => {
  const lineOf = (name: string): number | undefined =>
    Object.hasOwn(fieldsBelow, name) ? fieldsBelow[name] : undefined;
  const found = foundIn(extracted);
  const own = found.filter(([name]) => lineOf(name) !== undefined);
  const others = found.filter(([name]) => lineOf(name) === undefined);
  const required = fields.flatMap((field) => (field.required ? field.name : []));
  // What has a line of its own counts for no other.
  const confidence = own.length === 0 ? extracted.confidence : weakest(found, others, required);
  return [
    ...extracted.findings,
    ...(confidence < reviewBelow ? lowConfidence(others, reviewBelow) : []),
    ...own.filter(([name, sure]) => sure < (lineOf(name) ?? 0)).map(([name]) => low(name)),
    ...(review === 'always' ? [{ code: 'always_review', field: null } as const] : []),
  ];
};

const foundIn = ({ extractedData, fieldConfidences }: Judged): readonly Found[] =>
  Object.entries(fieldConfidences).filter(([name]) => extractedData[name] !== null);

/** The confidence of the weakest required value among some that were found, as that of the whole is. */
const weakest = (found: readonly Found[], some: readonly Found[], required: readonly string[]): number => {
  const isRequired = ([name]: Found): boolean => required.includes(name);
  const decisive = found.some(isRequired) ? some.filter(isRequired) : some;
  return Math.min(1, ...decisive.map(([, confidence]) => confidence));
};

/** The fields below the threshold, else the lowest one; null stands for all when nothing was found. */
const lowConfidence = (found: readonly Found[], reviewBelow: number): readonly ReviewReason[] => {
  const weak = found.filter(([, confidence]) => confidence < reviewBelow).map(([name]) => name);
  const [lowest] = found.toSorted(([, one], [, other]) => one - other);
  return (weak.length > 0 ? weak : [lowest?.[0] ?? null]).map(low);
};

const low = (field: string | null): ReviewReason => ({ code: 'low_confidence', field });
