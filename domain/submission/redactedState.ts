import { REDACTED } from '../../kernel/event.ts';
import { redactedEcho } from './echoed.ts';
import type { Submission } from './state.ts';

const redactedUnlessNull = <T>(value: T): typeof REDACTED | null => (value === null ? null : REDACTED);

/** The state as it would be folded if the keys of its events were destroyed (redaction-3). */
export const withoutPrivateMembers = (state: Submission): Submission => ({
  ...state,
  fileNames: {},
  webhookUrl: redactedUnlessNull(state.webhookUrl),
  ...redactedEcho,
  forced: null,
  batchRef: REDACTED,
  extractedData: redactedUnlessNull(state.extractedData),
  fieldConfidences: redactedUnlessNull(state.fieldConfidences),
  aiSummary: redactedUnlessNull(state.aiSummary),
  result: redactedUnlessNull(state.result),
  failedReason: redactedUnlessNull(state.failedReason),
  rejectReason: state.status === 'rejected' ? REDACTED : null,
  cancelReason: state.status === 'cancelled' && state.state !== 'expired' ? REDACTED : state.cancelReason,
  corrections: [],
  firstDecision: state.firstDecision && {
    ...state.firstDecision,
    ...{ comment: REDACTED, reason: REDACTED, actor: REDACTED, corrections: [] },
  },
  fraudMatches: state.fraudMatches.map((match) => ({
    ...match,
    details: {},
    resolvedBy: match.resolution === null ? null : REDACTED,
  })),
});
