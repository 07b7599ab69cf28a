import type { SubmissionEvent } from '../../domain/submission/state.ts';
import type { WebhookDeliveryEvent } from '../../domain/webhookDeliveryEvents.ts';
import type { EventWith } from '../../kernel/event.ts';

type Sealed = EventWith<SubmissionEvent | WebhookDeliveryEvent, 'private'>;
type Part<E extends Sealed> = Exclude<NonNullable<E['data']['private']>, Readonly<{ redacted: true }>>;

/** What the private part of an event may say: the compiler asks for each. Browsers have no definitions. */
const members: { [E in Sealed as E['type']]: Readonly<Record<keyof Part<E>, true>> } = {
  SessionCreated: {
    webhookUrl: true,
    clientSubmissionId: true,
    metadata: true,
    batchRef: true,
    fileNames: true,
  },
  SubmissionProcessingDelayed: { reason: true },
  SubmissionReprocessingRequested: { reason: true, actor: true },
  SubmissionProcessed: { extractedData: true, fieldConfidences: true, aiSummary: true, result: true },
  SubmissionProcessingFailed: { reason: true },
  SubmissionOpenedForEntry: { reason: true, actor: true },
  SubmissionFingerprinted: { prints: true },
  SubmissionFraudChecked: { details: true },
  SubmissionFraudMatchResolved: { resolvedBy: true, comment: true },
  SubmissionFirstDecisionMade: { comment: true, reason: true, actor: true, corrections: true },
  SubmissionApproved: { comment: true, actor: true, corrections: true },
  SubmissionRejected: { reason: true, actor: true },
  SubmissionCancelled: { reason: true, actor: true },
  SubmissionRedactionRequested: { webhookUrl: true },
  SubmissionLegalHoldPlaced: { reason: true },
  SubmissionNoteAdded: { text: true },
  SubmissionPostponed: { reason: true },
  WebhookRequested: { url: true, body: true },
  WebhookAttempted: { receiver: true, answer: true },
  WebhookRedeliveryRequested: { url: true },
};

/** The names of what an event may seal; none for one of a later release. */
export const privateMembersOf = (type: string): readonly string[] =>
  Object.keys((Object.hasOwn(members, type) && members[type as Sealed['type']]) || {});
