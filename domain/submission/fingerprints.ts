import type { FraudCheck, WorkflowVersion } from '../workflow.ts';
import { businessKeyOf } from './businessKey.ts';
import type { SubmissionFingerprinted } from './events.ts';
import { holdAttempt, present } from './guard.ts';
import type { PageLikeness, Print } from './prints.ts';
import type { Submission } from './state.ts';

/** A file as a match tells of it. */
export type NamedFile = Readonly<{ fileId: string; label: string }>;

/** A file and the SHA-256 (hex) of its bytes. */
export type HashedFile = NamedFile & Readonly<{ sha256: string }>;

/** What a check knows a submission by, in the clear: it is hidden before it is stored. */
export type Trait = Readonly<{ checkType: FraudCheck; text: string; files: readonly NamedFile[] }>;

/**
 * A trait as it is stored: `value` is an HMAC that company, mode and check are part of, and so the same only where two submissions are to be
 * matched. A check may have several of a file, and one of several files; `files` is empty where it is the data's.
 */
export type Fingerprint = Readonly<{
  checkType: FraudCheck;
  value: string;
  files: readonly NamedFile[];
}>;

export type RecordFingerprints = Readonly<{
  type: 'RecordFingerprints';
  round: number;
  attempt: number;
  fingerprints: readonly Fingerprint[];
  /** What near duplicates are compared by; they are kept privately. */
  prints: readonly Print[];
}>;

/** How many pages of a submission near duplicates are looked for, and how much of their prints is kept, in bytes: an event is small. */
const MOST_PAGES = 8;
const MOST_BYTES = 160 * 1_024;

/** The pages that near duplicates are looked for: the first ones, without the largest of them where they are too large together. */
export const pagesToCompare = (pages: readonly PageLikeness[]): readonly PageLikeness[] => {
  const first = pages.slice(0, MOST_PAGES);
  const sized = first.map((page) => ({ page, bytes: JSON.stringify(page.print).length }));
  const kept = new Set<PageLikeness>();
  let room = MOST_BYTES;
  for (const { page, bytes } of sized.sort((one, other) => one.bytes - other.bytes)) {
    if (bytes > room) break;
    room -= bytes;
    kept.add(page);
  }
  return first.filter((page) => kept.has(page));
};

/** What the version's checks know a submission by: the bytes of its files, the look of its pictures, the business key in its data. */
export const traitsOf = (
  { outputSchema, processing }: Pick<WorkflowVersion, 'outputSchema' | 'processing'>,
  files: readonly HashedFile[],
  data: Readonly<Record<string, unknown>>,
  pages: readonly PageLikeness[],
): readonly Trait[] => {
  const { checks, businessKey } = processing.fraud;
  const key = checks.includes('duplicate_data') ? businessKeyOf(outputSchema, businessKey, data) : null;
  return [
    ...(checks.includes('duplicate_file') ? fileTraits(files) : []),
    ...(checks.includes('near_duplicate_image') ? pictureTraits(pages) : []),
    ...(key === null ? [] : [{ checkType: 'duplicate_data', text: key, files: [] } as const]),
  ];
};

/**
 * Takes the round's place among those that others are matched with. Nothing when the round has it: a second attempt keeps the
 * place of the first (fraud-8). Nothing either when it was cancelled. Throws `ProcessingAttemptSuperseded`.
 */
export const recordFingerprints = (
  command: RecordFingerprints,
  current: Submission | null,
): readonly SubmissionFingerprinted[] => {
  const state = present(current);
  const { round, attempt, fingerprints, prints } = command;
  if (state.status !== 'processing') return [];
  holdAttempt(command, state);
  if (state.fingerprints.length > 0 || fingerprints.length === 0) return [];
  const hidden = prints.length > 0 ? { private: { prints } } : {};
  return [
    { type: 'SubmissionFingerprinted', data: { ...state.routing, round, attempt, fingerprints, ...hidden } },
  ];
};

/** What the event carries that ends a submission's being matched with: the values of its fingerprints, nothing where it has none. */
export const forgotten = ({
  fingerprints,
}: Readonly<{ fingerprints: readonly Fingerprint[] }>): Readonly<{ fingerprints?: readonly string[] }> =>
  fingerprints.length === 0 ? {} : { fingerprints: fingerprints.map(({ value }) => value) };

/** One for each key, whatever page it is of: which pages are alike is told by their prints. */
const pictureTraits = (pages: readonly PageLikeness[]): readonly Trait[] =>
  [...new Set(pages.flatMap(({ keys }) => keys.map(({ text }) => text)))].map((text) => ({
    checkType: 'near_duplicate_image',
    text,
    files: [],
  }));

/** One for each content: a file that was uploaded twice is one trait of two files. */
const fileTraits = (files: readonly HashedFile[]): readonly Trait[] =>
  [...new Set(files.map(({ sha256 }) => sha256))].map((text) => ({
    checkType: 'duplicate_file',
    text,
    files: files.filter(({ sha256 }) => sha256 === text).map(({ fileId, label }) => ({ fileId, label })),
  }));
