import { echoedNames } from '../domain/submission/echoed.ts';
import type { Submission, SubmissionEvent } from '../domain/submission/state.ts';
import { sessionIdOf } from '../domain/submission/submission.ts';
import { REDACTED, type Recorded } from '../kernel/event.ts';
import { pick } from '../kernel/pick.ts';
import { decisionsOf } from './derive/decisions.ts';
import { deliveryOf } from './derive/delivery.ts';
import { type Copy, filesOf } from './derive/files.ts';
import { deliveryEvents, submissionEvents, submissionOf } from './derive/supported.ts';
import type { DocumentName } from './format.ts';

/** The entry of a delivery's stream in `deliveries.json`; null for no events. */
export const deliveryEntry = (events: readonly Recorded[]): object | null =>
  deliveryOf(deliveryEvents(events));

/**
 * Derives a package's documents from a submission's events, at export and again at verification. `deliveries`
 * are results of `deliveryEntry`, `copies` are by file id. Events of unknown types change nothing.
 */
export const documentsOf = (
  events: readonly Recorded[],
  deliveries: readonly (object | null)[],
  copies: ReadonlyMap<string, Copy>,
): Readonly<Record<DocumentName, unknown>> => {
  const supported = submissionEvents(events);
  return {
    'decisions.json': decisionsOf(supported),
    'deliveries.json': deliveries.filter((delivery) => delivery !== null),
    'files.json': filesOf(supported, copies),
    'state.json': stateOf(supported),
  };
};

/**
 * The submission after its events. Its members never change in version 1: later releases must derive the same
 * from the same events.
 */
const stateOf = (events: readonly Recorded<SubmissionEvent>[]): object | null => {
  const state = submissionOf(events);
  const last = events.at(-1);
  if (!state || !last) return null;
  const { routing, workflow } = state;
  return {
    submissionId: routing.submissionId,
    sessionId: sessionIdOf(routing.submissionId),
    ...pick(routing, 'companyId', 'mode', 'keyId'),
    workflow,
    batchId: routing.batchId,
    revision: last.revision,
    updatedAt: last.metadata.at,
    submissionStatus: state.status,
    jobState: state.state,
    ...pick(state, 'expiresAt', 'clientSubmissionId', 'batchRef', 'metadata', 'webhookUrl'),
    ...laterEcho(state),
    ...pick(state, 'round', 'attempt', 'extractedData', 'fieldConfidences', 'confidence', 'certainty'),
    ...pick(state, 'aiSummary', 'result', 'reviewReasons', 'corrections'),
    ...pick(state, 'failedReason', 'rejectReason', 'cancelReason'),
    ...pick(state, 'fraudStatus', 'fraudScore', 'fraudMatches'),
  };
};

const FIRST: readonly string[] = ['clientSubmissionId', 'metadata'];

/**
 * What a submission echoes beside what it did in the first release, where it is given: else packages of
 * before would not hold.
 */
const laterEcho = (state: Submission): object =>
  Object.fromEntries(
    echoedNames
      .filter((name) => !FIRST.includes(name) && (state[name] ?? REDACTED) !== REDACTED)
      .map((name) => [name, state[name]]),
  );
