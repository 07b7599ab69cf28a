import type { NamedFile } from '../fraud/check.ts';
import type { FraudCheckType } from '../fraud/checks.ts';
import type { VisualFingerprint } from '../fraud/pages.ts';
import type { SubmissionFingerprinted } from './events.ts';
import { holdAttempt, present } from './guard.ts';
import type { Submission } from './state.ts';

/**
 * A trait as it is stored: `value` is an HMAC over company, mode, check and text, and so the same only where two
 * submissions match. A check may have several of a file, and one of several files; `files` is empty where it is
 * not about files.
 */
export type Fingerprint = Readonly<{
  checkType: FraudCheckType;
  value: string;
  files: readonly NamedFile[];
}>;

export type RecordFingerprints = Readonly<{
  type: 'RecordFingerprints';
  round: number;
  attempt: number;
  fingerprints: readonly Fingerprint[];
  /** The visual fingerprints of the pages that are compared; they are stored privately. */
  prints: readonly VisualFingerprint[];
}>;

/**
 * Makes the submission a candidate for later ones, from its place in the log on. No event where the round has a
 * place: a second attempt keeps that of the first (fraud-9). None either for a cancelled submission. Throws
 * `ProcessingAttemptSuperseded`.
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

/** The values of the fingerprints that no longer count, for the event that ends a submission's candidacy. */
export const forgotten = ({
  fingerprints,
}: Readonly<{ fingerprints: readonly Fingerprint[] }>): Readonly<{ fingerprints?: readonly string[] }> =>
  fingerprints.length === 0 ? {} : { fingerprints: fingerprints.map(({ value }) => value) };
