import { randomUUID } from 'node:crypto';
import type { IntakeClient } from '../../client/index.ts';
import { type WebhookEventType, webhookEventTypes } from '../../domain/webhookEvents.ts';
import { linkTo } from '../../kernel/signals.ts';
import { oneOf, slug } from '../arguments.ts';
import type { Command } from '../commandLine.ts';
import { CommandFailed } from '../failure.ts';
import { type Output, printable } from '../output.ts';
import { onService, overHttp, type Service } from '../overHttp.ts';
import { whileStoppable } from '../signals.ts';
import type { FeedEvent } from './listenFeed.ts';
import { tinyFiles } from './tinyFiles.ts';

/** `intake trigger`. */
export const addTriggerCommand = (program: Command): void => {
  overHttp(program, 'trigger', 'make an event happen, with a test key', [
    'intake trigger session.completed',
    'intake trigger submission.fraud_match_resolved --workflow receipt --profile test',
  ])
    .argument('<event>', `one of ${webhookEventTypes.join(', ')}`, oneOf(webhookEventTypes))
    .option(
      '--workflow <slug>',
      'the workflow of the submission (default: the first that the key may use)',
      slug,
    )
    .action(onService(trigger));
};

/** What the metadata of a submission force, so that an event of this type comes of it. */
const FORCED: Readonly<Record<WebhookEventType, Readonly<{ outcome: string; fraud?: string }>>> = {
  'session.completed': { outcome: 'approved', fraud: 'clean' },
  'session.failed': { outcome: 'failed' },
  'session.review_required': { outcome: 'review', fraud: 'clean' },
  // What is flagged is approved by a review.
  'submission.approved': { outcome: 'approved', fraud: 'flagged' },
  'submission.rejected': { outcome: 'rejected', fraud: 'clean' },
  'submission.cancelled': { outcome: 'cancelled' },
  'submission.fraud_match_resolved': { outcome: 'review', fraud: 'flagged' },
  'submission.redacted': { outcome: 'failed' },
  'batch.completed': { outcome: 'approved', fraud: 'clean' },
};

/** How long an event may take, which a submission causes at once. */
const LIMIT_MS = 60_000;

type TriggerOptions = Readonly<{ workflow?: string }>;

const trigger = (
  { intake, output }: Service,
  type: WebhookEventType,
  { workflow }: TriggerOptions,
): Promise<void> =>
  whileStoppable(async (stopped) => {
    const { cursor, sessionId, batchRef } = await caused(intake, type, workflow, stopped).catch((error) => {
      throw stopped.aborted
        ? new CommandFailed('cancelled', 'Cancelled: the event may come all the same.')
        : error;
    });
    if (batchRef !== null) output.notice(GRACE);
    const feed = { cursor, types: [type] };
    const isIt = (one: FeedEvent): boolean =>
      batchRef === null ? one.sessionId === sessionId : one.batchRef === batchRef;
    const event = await eventOf(intake, feed, isIt, batchRef === null ? LIMIT_MS : null, stopped);
    if (event !== null) return answer(output, event);
    if (stopped.aborted) return;
    throw new CommandFailed('no-event', `No ${type} of ${sessionId} came within ${LIMIT_MS / 1_000} s.`);
  });

/** Submits what the event comes of. Gives the end of the feed before. */
const caused = async (
  intake: IntakeClient,
  type: WebhookEventType,
  workflow: string | undefined,
  signal: AbortSignal,
) => {
  await requireTestKey(intake, signal);
  const { slug, files } = await fitting(intake, workflow, signal);
  const now = await intake.get('/api/v1/events', { query: { from: 'now', types: type }, signal });
  const batchRef = type === 'batch.completed' ? `trigger-${randomUUID()}` : null;
  const { sessionId } = await intake.submit(slug, files, { ...sessionOf(type, batchRef), signal });
  if (type === 'submission.fraud_match_resolved') await resolveMatch(intake, sessionId, signal);
  if (type === 'submission.redacted') await redact(intake, sessionId, signal);
  return { cursor: now.pagination.nextCursor ?? '', sessionId, batchRef };
};

const GRACE =
  'A batch completes once its newest session is as old as BATCH_GRACE says, 5 minutes by default. This waits for it; Ctrl-C ends that, and the event comes all the same.';

const requireTestKey = async (intake: IntakeClient, signal: AbortSignal): Promise<void> => {
  const { mode } = await intake.get('/api/v1/keys/current', { signal });
  if (mode === 'test') return;
  throw new CommandFailed(
    'key-is-live',
    'The key is a live one: nothing was submitted.',
    'Outcomes can be forced with a test key alone: `intake key create --company ID --test` makes one.',
  );
};

/**
 * The workflow that is named, or else the first one that takes a file of ours, and the files that it takes.
 */
const fitting = async (intake: IntakeClient, named: string | undefined, signal: AbortSignal) => {
  const slugs = named === undefined ? slugsOf(intake, signal) : [named];
  for await (const slug of slugs) {
    const { upload } = await intake.get('/api/v1/workflows/{slug}', { path: { slug }, signal });
    const files = tinyFiles(upload);
    if (files !== null) return { slug, files };
  }
  throw new CommandFailed(
    'no-fitting-workflow',
    named === undefined
      ? 'The key may use no workflow that takes a file of this command.'
      : `${named} takes no file of this command.`,
    'It has pictures (JPEG, PNG), PDF, text and JSON.',
  );
};

async function* slugsOf(intake: IntakeClient, signal: AbortSignal): AsyncGenerator<string, void> {
  for await (const { slug } of intake.list('/api/v1/workflows', { signal })) yield slug;
}

const sessionOf = (type: WebhookEventType, batchRef: string | null) => {
  const { outcome, fraud } = FORCED[type];
  const metadata = { 'intake:outcome': outcome, ...(fraud !== undefined && { 'intake:fraud': fraud }) };
  return { metadata, ...(batchRef !== null && { batchRef }) };
};

const resolveMatch = async (intake: IntakeClient, sessionId: string, signal: AbortSignal): Promise<void> => {
  const { submissionId } = await intake.wait(sessionId, { signal });
  const { data } = await intake.get('/api/v1/submissions/{submissionId}/fraud-matches', {
    path: { submissionId },
    signal,
  });
  const matchId = data[0]?.id ?? '';
  await intake.post('/api/v1/submissions/{submissionId}/fraud-matches/{matchId}/resolve', {
    path: { submissionId, matchId },
    body: { resolution: 'dismissed' },
    signal,
  });
};

/** Redacts the submission of a session, once it has been processed. */
const redact = async (intake: IntakeClient, sessionId: string, signal: AbortSignal): Promise<void> => {
  const { submissionId } = await intake.wait(sessionId, { signal });
  await intake.post('/api/v1/submissions/{submissionId}/redact', {
    path: { submissionId },
    body: { reason: 'A trigger of this event', legalBasis: 'other' },
    signal,
  });
};

type Feed = NonNullable<Parameters<IntakeClient['events']>[0]>;

/** The first event of a feed that fits; null when none has come after `limitMs`, or when it is stopped. */
const eventOf = async (
  intake: IntakeClient,
  feed: Feed,
  fits: (event: FeedEvent) => boolean,
  limitMs: number | null,
  stopped: AbortSignal,
): Promise<FeedEvent | null> => {
  const { signal, abort, unlink } = linkTo(stopped);
  const timer = limitMs === null ? undefined : setTimeout(() => abort(null), limitMs);
  try {
    for await (const { event } of intake.events({ ...feed, signal })) if (fits(event)) return event;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    unlink();
  }
  return null;
};

const answer = (output: Output, event: FeedEvent): Promise<void> => {
  const { eventId, eventType, occurredAt, sessionId, submissionId, batchRef } = event;
  return output.answer({ eventId, eventType, occurredAt, sessionId, submissionId, batchRef }, () =>
    printable(`${eventType}  ${eventId}  ${submissionId ?? batchRef}`),
  );
};
