import type { SubmissionApproved, SubmissionEvent } from '../domain/submission/events.ts';
import { reveal } from '../domain/submission/private.ts';
import { evolve, type Submission } from '../domain/submission/state.ts';
import type { WebhookDeliveryEvent } from '../domain/webhookDelivery.ts';
import { webhookTypeOf } from '../domain/webhookEvents.ts';
import type { Recorded } from '../kernel/event.ts';
import type { ReadModels, ResultPage, Scalar, Where } from '../stores/documents/port.ts';
import { indexOn, newestBy, type Projection } from './engine/projection.ts';
import { publicName } from './eventNames.ts';
import { type HistoryItem, historyDetails } from './history.ts';
import { type SyncTimes, syncTimesAfter } from './syncTimes.ts';

/** All that the API tells of a submission and its job, in one document, so that no part runs ahead of another. */
export type SubmissionDocument = Readonly<{
  id: string;
  createdAt: string;
  updatedAt: string;
  /** When processing ended (lifecycle-13); null until then, and again while a new round is under way. */
  processedAt: string | null;
  revision: number;
  /** The newest event that caused a webhook, and how its delivery stands. */
  webhook: Readonly<{ eventId: string; status: 'pending' | 'delivered' | 'failed' }> | null;
  /** Who approved and when; null unless a reviewer did. */
  approval: Readonly<{ actor: string | null; keyId: string; at: string }> | null;
  /** When its approved data are sent on; null where they are not. */
  sync: SyncTimes | null;
  submission: Submission;
  history: readonly HistoryItem[];
}>;

type Handled = SubmissionEvent | WebhookDeliveryEvent;

const newestFirst = newestBy('createdAt');
const scope = ['submission.routing.companyId', 'submission.routing.mode'];
const filters = {
  slug: 'submission.routing.workflow.slug',
  status: 'submission.status',
  fraudStatus: 'submission.fraudStatus',
  clientSubmissionId: 'submission.clientSubmissionId',
  batchId: 'submission.routing.batchId',
} as const;

const index = (name: string, paths: readonly string[]) => indexOn(name, paths, newestFirst);

/** Submissions with their jobs, histories and delivery status. */
export const submissions: Projection<SubmissionDocument, Handled> = {
  name: 'submissions',
  version: 3,
  prefixes: ['submission-', 'webhookDelivery-'],
  handles: [
    'SessionCreated',
    'SessionSubmitted',
    'SessionExpired',
    'SubmissionProcessingStarted',
    'SubmissionProcessingDelayed',
    'SubmissionFingerprinted',
    'SubmissionFraudChecked',
    'SubmissionProcessed',
    'SubmissionProcessingFailed',
    'SubmissionResultDropped',
    'SubmissionReprocessingRequested',
    'SubmissionApproved',
    'SubmissionRejected',
    'SubmissionCancelled',
    'SubmissionFraudMatchResolved',
    'SubmissionSynced',
    'SubmissionSyncFailed',
    'SubmissionSyncRequested',
    'WebhookRequested',
    'WebhookDelivered',
    'WebhookFailed',
    'WebhookRedeliveryRequested',
  ],
  indexes: [
    index('newest', scope),
    ...Object.entries(filters).map(([name, path]) => index(name, [...scope, path])),
    index('open', ['submission.routing.keyId', 'submission.state']),
  ],
  // The webhook of a batch counts for no job.
  keys: ({ data }) => (data.submissionId === null ? [] : [data.submissionId]),
  evolve: (document, event) => {
    switch (event.type) {
      case 'WebhookRequested':
      case 'WebhookAttempted':
        return document;
      case 'WebhookDelivered':
      case 'WebhookFailed':
      case 'WebhookRedeliveryRequested':
        return document && withDelivery(document, event);
      default:
        return afterEvent(document, event);
    }
  },
};

const afterEvent = (
  document: SubmissionDocument | null,
  event: Recorded<SubmissionEvent>,
): SubmissionDocument => {
  const submission = evolve(document?.submission ?? null, event);
  if (submission === null) throw new Error(`${event.type} left no submission`);
  const { at } = event.metadata;
  const item: HistoryItem = {
    type: publicName(event.type),
    occurredAt: at,
    details: historyDetails(event),
  };
  return {
    id: event.data.submissionId,
    createdAt: document?.createdAt ?? at,
    updatedAt: at,
    processedAt: processedAtAfter(event, document?.processedAt ?? null),
    revision: event.revision,
    webhook:
      submission.webhookUrl !== null && webhookTypeOf(event) !== null
        ? { eventId: event.id, status: 'pending' }
        : (document?.webhook ?? null),
    approval: event.type === 'SubmissionApproved' ? approvalOf(event) : (document?.approval ?? null),
    sync: syncTimesAfter(event, document?.sync ?? null),
    submission,
    history: [...(document?.history ?? []), item],
  };
};

const processedAtAfter = (
  { type, metadata }: Recorded<SubmissionEvent>,
  before: string | null,
): string | null => {
  if (type === 'SubmissionProcessed' || type === 'SubmissionProcessingFailed') return metadata.at;
  return type === 'SubmissionReprocessingRequested' ? null : before;
};

const approvalOf = ({ data, metadata }: Recorded<SubmissionApproved>): SubmissionDocument['approval'] => ({
  actor: reveal(data.private, 'actor'),
  keyId: metadata.actor.id,
  at: metadata.at,
});

const withDelivery = (
  document: SubmissionDocument,
  { type, data }: Exclude<WebhookDeliveryEvent, { type: 'WebhookRequested' | 'WebhookAttempted' }>,
): SubmissionDocument => {
  if (document.webhook?.eventId !== data.eventId) return document;
  return { ...document, webhook: { ...document.webhook, status: DELIVERY_STATUS[type] } };
};

const DELIVERY_STATUS = {
  WebhookDelivered: 'delivered',
  WebhookFailed: 'failed',
  WebhookRedeliveryRequested: 'pending',
} as const;

/** Conditions of a list; a member left out does not matter, `fraudStatus: null` means never checked. */
type SubmissionFilters = Readonly<{
  companyId: string;
  mode: string;
  slug?: string;
  status?: string;
  fraudStatus?: string | null;
  clientSubmissionId?: string;
  batchId?: string;
  /** ISO 8601; from this time on. */
  createdAfter?: string;
  /** ISO 8601; before this time. */
  createdBefore?: string;
}>;

/** The queries behind GET /submissions, /submissions/{id} and /jobs/{sessionId}. */
export const submissionQueries = (models: ReadModels) => ({
  /** The submission's document, null when there is none. */
  find: (submissionId: string): Promise<SubmissionDocument | null> => models.get('submissions', submissionId),

  /** A page of a company's submissions, newest first. */
  list: (
    conditions: SubmissionFilters,
    limit: number,
    after: readonly Scalar[] | null,
  ): Promise<ResultPage<SubmissionDocument>> =>
    models.page('submissions', { where: whereOf(conditions), sort: newestFirst, limit, after }),

  /** How many sessions of a key are pending, queued or processing; `most` means so many or more. */
  countOpen: async (keyId: string, most: number): Promise<number> => {
    const counts = await Promise.all(
      OPEN.map((state) =>
        models.count('submissions', { 'submission.routing.keyId': keyId, 'submission.state': state }, most),
      ),
    );
    return Math.min(
      most,
      counts.reduce((sum, count) => sum + count, 0),
    );
  },
});

/** The states in which a job still works on behalf of its key. */
const OPEN = ['pending', 'queued', 'processing'] as const;

const whereOf = (conditions: SubmissionFilters): Where => {
  const where: Record<string, Where[string]> = {
    'submission.routing.companyId': conditions.companyId,
    'submission.routing.mode': conditions.mode,
  };
  for (const [name, path] of Object.entries(filters)) {
    const value = conditions[name as keyof typeof filters];
    if (value !== undefined) where[path] = value;
  }
  const { createdAfter, createdBefore } = conditions;
  if (createdAfter !== undefined || createdBefore !== undefined) {
    where.createdAt = {
      ...(createdAfter === undefined ? {} : { from: createdAfter }),
      ...(createdBefore === undefined ? {} : { before: createdBefore }),
    };
  }
  return where;
};
