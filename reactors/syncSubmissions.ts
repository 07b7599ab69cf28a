import { nextAttemptAt, SYNC_DELAYS_MS } from '../domain/retrySchedule.ts';
import { echoedNames } from '../domain/submission/echoed.ts';
import { evolve, type Submission, type SubmissionEvent } from '../domain/submission/state.ts';
import {
  type SubmissionCommand,
  sessionIdOf,
  submission,
  submissionStream,
} from '../domain/submission/submission.ts';
import { type SyncEvent, underWay } from '../domain/submission/sync.ts';
import type { Attempt } from '../domain/webhookDeliveryEvents.ts';
import type { WorkflowVersion } from '../domain/workflow.ts';
import { type Cause, type EventWith, type Position, REDACTED, type Recorded } from '../kernel/event.ts';
import { pick } from '../kernel/pick.ts';
import { notSent, REDACTED_BODY } from '../outbound/send.ts';
import { endpointHeaders } from '../outbound/sign.ts';
import type { SyncItem } from '../projections/syncQueue.ts';
import type { Claimed } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { DeliverPorts } from './deliverWebhooks.ts';

export type SyncPorts = Pick<DeliverPorts, 'handle' | 'sender' | 'lanes' | 'clock'> &
  Readonly<{
    log: Pick<EventLog, 'load'>;
    /** The version that a submission was opened with. */
    version(reference: Submission['routing']['workflow']): Promise<WorkflowVersion>;
    /** The secret in a setting; null where it is not set. */
    secretOf(setting: string): string | null;
    /** A version names a setting that is not set. */
    onUnset(setting: string, submissionId: string): void;
    /** Data are sent no more, and why. */
    onGivenUp(submissionId: string, error: string): void;
  }>;

/**
 * One attempt at sending approved data to the workflow's target, recorded as an event. Nothing when the log
 * says that this attempt was made (the queue is a read model and may be behind). A crash between the POST and
 * its record sends the same bytes again.
 */
export const syncSubmission =
  (ports: SyncPorts) =>
  async (item: Claimed<SyncItem>, signal: AbortSignal): Promise<Position | null> => {
    const { lane, attempt } = item.document;
    let success: boolean | null = null;
    ports.lanes.started(lane);
    try {
      const events = (await ports.log.load(submissionStream(item.id)))
        .events as readonly Recorded<SubmissionEvent>[];
      const state = events.reduce<Submission | null>(evolve, null);
      if (!state?.sync || !underWay(state) || state.sync.attempts + 1 !== attempt) return null;
      const body = syncBody(events);
      const outcome =
        body === null
          ? notSent(REDACTED_BODY)
          : await send(ports, state.routing, body, item.document.cause, signal);
      success = outcome.error === null;
      const failures = attempt - state.sync.earlierAttempts;
      return await record(ports, item, outcome, body === null ? Number.POSITIVE_INFINITY : failures);
    } finally {
      ports.lanes.finished(lane, success);
    }
  };

/** The events that may approve: they say where the data are sent. */
type Approving = Exclude<EventWith<SubmissionEvent, 'syncTo'>, SyncEvent>;

/** Who approves by each of them. */
const approvers: Readonly<Record<Approving['type'], 'machine' | 'reviewer'>> = {
  SubmissionProcessed: 'machine',
  SubmissionApproved: 'reviewer',
};

const isApproval = (event: Recorded<SubmissionEvent>): event is Recorded<Approving> =>
  Object.hasOwn(approvers, event.type) && 'to' in event.data && event.data.to === 'approved';

/**
 * What is sent to a workflow's sync target (sync-1), as the submission was right after its approval: whatever
 * came since, the same events give the same bytes. Null when its key has been destroyed. Throws for one that
 * was never approved.
 */
const syncBody = (events: readonly Recorded<SubmissionEvent>[]): string | null => {
  const approval = events.findLast(isApproval);
  const until = approval ? events.slice(0, events.indexOf(approval) + 1) : [];
  const state = until.reduce<Submission | null>(evolve, null);
  if (!state || !approval) throw new Error('only what was approved can be sent');
  if (state.extractedData === REDACTED) return null;
  const { submissionId, companyId, mode, workflow } = state.routing;
  const { extractedData, fieldConfidences, corrections, batchRef } = state;
  return JSON.stringify({
    submissionId,
    sessionId: sessionIdOf(submissionId),
    companyId,
    mode,
    workflow,
    approvedAt: approval.metadata.at,
    approvedBy: approvers[approval.type],
    extractedData,
    fieldConfidences,
    corrections: corrections.map(({ place: _, ...correction }) => correction),
    ...pick(state, ...echoedNames),
    batchRef,
  });
};

const send = async (
  { version, secretOf, sender, clock, onUnset }: SyncPorts,
  { submissionId, workflow }: Submission['routing'],
  body: string,
  cause: Cause,
  signal: AbortSignal,
): Promise<Attempt> => {
  const { sync } = (await version(workflow)).processing;
  if (sync === null) throw new Error(`version ${workflow.version} of ${workflow.slug} has no sync target`);
  const secret = secretOf(sync.secretEnv);
  if (secret === null) {
    onUnset(sync.secretEnv, submissionId);
    return notSent('the secret that signs is not set');
  }
  const posted = { agent: 'service-sync/1.0', submissionId, id: submissionId, body, at: clock.now() };
  return sender.send({ url: sync.url, headers: endpointHeaders(posted, secret), body, signal, cause });
};

/** `failures`: how many there would be in this run of the schedule, this one included. */
const record = async (
  { handle, clock, onGivenUp }: SyncPorts,
  { id, document }: Claimed<SyncItem>,
  { statusCode, durationMs, error }: Attempt,
  failures: number,
): Promise<Position> => {
  const { attempt, cause } = document;
  const context = { actor: { kind: 'system', id: 'sync' }, ...cause } as const;
  const run = async (command: SubmissionCommand): Promise<Position> =>
    (await handle(submission, submissionStream(id), command, context)).position;
  if (error === null) return run({ type: 'RecordSync' });
  const next = nextAttemptAt(failures, clock.now().toISOString(), SYNC_DELAYS_MS);
  const outcome = { statusCode, durationMs, error };
  const position = await run({ type: 'RecordSyncFailure', attempt, outcome, nextAttemptAt: next });
  if (next === null) onGivenUp(id, error);
  return position;
};
