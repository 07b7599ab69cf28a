import type { SubmissionEvent } from '../../domain/submission/state.ts';
import type { Event, Recorded } from '../../kernel/event.ts';
import { reveal } from '../../kernel/event.ts';

/**
 * Decisions and expiries: who (as authenticated, and as the client named them), when, and in which request.
 */
export const decisionsOf = (events: readonly Recorded<SubmissionEvent>[]): readonly object[] =>
  events.flatMap((event) => {
    // A package may hold events of a later release.
    const isKnown = Object.hasOwn(decisions, event.type);
    const decide: DecisionOf<SubmissionEvent> | null = isKnown ? decisions[event.type] : null;
    if (decide === null) return [];
    const { revision, id: eventId, metadata } = event;
    const {
      at,
      actor,
      requestId = null,
      $correlationId: correlationId,
      $causationId: causationId,
    } = metadata;
    const decision = decide(event.data);
    return [{ revision, eventId, at, ...decision, actor, requestId, correlationId, causationId }];
  });

/** What an event decides. The type is that of a method, as of a `Fold`. */
type DecisionOf<E extends Event> = { of(data: E['data']): object }['of'];
type DataOf<T extends SubmissionEvent['type']> = Extract<SubmissionEvent, { type: T }>['data'];

const refusal =
  (decision: string) =>
  ({ from, to, private: part, ...data }: DataOf<'SubmissionRejected' | 'SubmissionCancelled'>): object => ({
    decision,
    from,
    to,
    by: reveal(part, 'actor'),
    reason: reveal(part, 'reason'),
    ...('secondEye' in data && data.secondEye ? { secondEye: data.secondEye } : {}),
  });

const reopening =
  (decision: string) =>
  ({ from, to, private: part }: DataOf<'SubmissionReprocessingRequested' | 'SubmissionOpenedForEntry'>) => ({
    ...{ decision, from, to },
    ...(part && { by: reveal(part, 'actor'), reason: reveal(part, 'reason') }),
  });

/** What each event decides; null for one that is no decision. */
const decisions: { [E in SubmissionEvent as E['type']]: DecisionOf<E> | null } = {
  SessionCreated: null,
  SessionSubmitted: null,
  SessionExpired: ({ from, to }) => ({ decision: 'expired', from, to }),
  SubmissionProcessingStarted: null,
  SubmissionProcessingDelayed: null,
  SubmissionFingerprinted: null,
  SubmissionFraudChecked: null,
  SubmissionProcessed: null,
  SubmissionProcessingFailed: null,
  SubmissionResultDropped: null,
  SubmissionReprocessingRequested: reopening('reprocessing_requested'),
  SubmissionOpenedForEntry: reopening('opened_for_entry'),
  SubmissionFirstDecisionMade: ({ outcome, withdraws, private: part }) => ({
    decision: 'first_decision_made',
    outcome,
    ...(withdraws ? { withdraws } : {}),
    by: reveal(part, 'actor'),
    comment: reveal(part, 'comment'),
    reason: reveal(part, 'reason'),
    corrections: reveal(part, 'corrections'),
  }),
  SubmissionApproved: ({ from, to, missing, secondEye, private: part }) => ({
    decision: 'approved',
    from,
    to,
    by: reveal(part, 'actor'),
    comment: reveal(part, 'comment'),
    corrections: reveal(part, 'corrections'),
    ...(missing ? { missing } : {}),
    ...(secondEye ? { secondEye } : {}),
  }),
  SubmissionRejected: refusal('rejected'),
  SubmissionCancelled: refusal('cancelled'),
  SubmissionFraudMatchResolved: (data) => {
    const { matchId, resolution, previousResolution, fraudStatus, fraudScore, private: part } = data;
    const [by, comment] = [reveal(part, 'resolvedBy'), reveal(part, 'comment')];
    const judged = { matchId, resolution, ...(previousResolution ? { previousResolution } : {}) };
    return { decision: 'fraud_match_resolved', ...judged, fraudStatus, fraudScore, by, comment };
  },
  SubmissionSynced: null,
  SubmissionSyncFailed: null,
  SubmissionSyncRequested: null,
  SubmissionRedactionRequested: null,
  SubmissionRedacted: null,
  SubmissionLegalHoldPlaced: null,
  SubmissionLegalHoldLifted: null,
  SubmissionNoteAdded: null,
  SubmissionAssigned: null,
  SubmissionPostponed: null,
  SubmissionResumed: null,
};
