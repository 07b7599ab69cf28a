import type { EventDefinitions, EventsOf } from '../../kernel/eventDefinition.ts';
import { closed, meaning, type Of, oneOf, privatePart, Type, text } from '../../kernel/schema.ts';
import { NamedFile } from '../fraud/check.ts';
import { fraudCheckTypes } from '../fraud/checks.ts';
import { VisualFingerprint } from '../fraud/pages.ts';
import { requireCurrent } from './guard.ts';
import { type AttemptReference, attempt, routing } from './routing.ts';
import type { Submission } from './state.ts';

/**
 * A trait as it is stored. A check may have several of a file, and one of several files; `files` is empty
 * where it is not about files.
 */
const Fingerprint = closed({
  checkType: oneOf(fraudCheckTypes),
  value: text(
    'an HMAC over company, mode, check and text: the same only where two submissions are to be matched',
  ),
  files: Type.Array(NamedFile),
});
export type Fingerprint = Of<typeof Fingerprint>;

/** What ends a submission's candidacy for matches. */
export const forgottenFingerprints = {
  fingerprints: Type.Optional(
    Type.Array(Type.String(), { description: 'the values that no longer count, where there were any' }),
  ),
};

/** The event of what others are matched with. */
export const fingerprintEvents = {
  SubmissionFingerprinted: {
    about: 'Others are matched with it from here on: of two duplicates the first in the log is the earlier.',
    data: closed({
      ...routing,
      ...attempt,
      fingerprints: Type.Array(Fingerprint),
      private: Type.Optional(
        meaning(
          privatePart({ prints: Type.Array(VisualFingerprint) }),
          'what near duplicates of its pictures are compared by; absent where there is none',
        ),
      ),
    }),
  },
} as const satisfies EventDefinitions;

type SubmissionFingerprinted = EventsOf<typeof fingerprintEvents>;

/** `prints`: the visual fingerprints of the pages that are compared; they are stored privately. */
type RecordFingerprints = AttemptReference &
  Readonly<{ fingerprints: readonly Fingerprint[]; prints: readonly VisualFingerprint[] }>;

/**
 * Makes the submission a candidate for later ones, from its place in the log on. No event where the round has
 * a place: a second attempt keeps that of the first (fraud-9). None either for a cancelled submission. Throws
 * `ProcessingAttemptSuperseded`.
 */
export const recordFingerprints = (
  command: RecordFingerprints,
  state: Submission,
): readonly SubmissionFingerprinted[] => {
  const { round, attempt, fingerprints, prints } = command;
  if (state.status !== 'processing') return [];
  requireCurrent(command, state);
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
