import type { SubmissionEvent } from '../../domain/submission/state.ts';
import type { Recorded } from '../../kernel/event.ts';
import { reveal } from '../../kernel/event.ts';

/**
 * Decisions and expiries: who (as authenticated, and as the client named them), when, and in which request.
 */
export const decisionsOf = (events: readonly Recorded<SubmissionEvent>[]): readonly object[] =>
  events.flatMap((event) => {
    const decision = decisionOf(event);
    if (decision === null) return [];
    const { revision, id: eventId, metadata } = event;
    const {
      at,
      actor,
      requestId = null,
      $correlationId: correlationId,
      $causationId: causationId,
    } = metadata;
    return [{ revision, eventId, at, ...decision, actor, requestId, correlationId, causationId }];
  });

const decisionOf = (event: SubmissionEvent): object | null => {
  switch (event.type) {
    case 'SubmissionFirstDecisionMade': {
      const { outcome, withdraws, private: part } = event.data;
      return {
        decision: 'first_decision_made',
        outcome,
        ...(withdraws ? { withdraws } : {}),
        by: reveal(part, 'actor'),
        comment: reveal(part, 'comment'),
        reason: reveal(part, 'reason'),
        corrections: reveal(part, 'corrections'),
      };
    }
    case 'SubmissionApproved': {
      const { from, to, missing, private: part } = event.data;
      const corrections = reveal(part, 'corrections');
      return {
        decision: 'approved',
        from,
        to,
        by: reveal(part, 'actor'),
        comment: reveal(part, 'comment'),
        corrections,
        ...(missing ? { missing } : {}),
      };
    }
    case 'SubmissionRejected':
    case 'SubmissionCancelled': {
      const { from, to, private: part } = event.data;
      const decision = event.type === 'SubmissionRejected' ? 'rejected' : 'cancelled';
      return { decision, from, to, by: reveal(part, 'actor'), reason: reveal(part, 'reason') };
    }
    case 'SubmissionFraudMatchResolved': {
      const { matchId, resolution, previousResolution, fraudStatus, fraudScore, private: part } = event.data;
      const [by, comment] = [reveal(part, 'resolvedBy'), reveal(part, 'comment')];
      const judged = { matchId, resolution, ...(previousResolution ? { previousResolution } : {}) };
      return { decision: 'fraud_match_resolved', ...judged, fraudStatus, fraudScore, by, comment };
    }
    case 'SubmissionReprocessingRequested':
    case 'SubmissionOpenedForEntry': {
      const { from, to, private: part } = event.data;
      const decision =
        event.type === 'SubmissionOpenedForEntry' ? 'opened_for_entry' : 'reprocessing_requested';
      const said = part && { by: reveal(part, 'actor'), reason: reveal(part, 'reason') };
      return { decision, from, to, ...said };
    }
    case 'SessionExpired':
      return { decision: 'expired', from: event.data.from, to: event.data.to };
    default:
      return null;
  }
};
