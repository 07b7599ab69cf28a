import * as assert from 'uvu/assert';
import type { Core } from '../../runtime/wire.ts';
import type { Receiver } from '../../scripts/receiver.ts';
import { eventually } from '../harness.ts';
import { type Cluster, figureOf } from './cluster.ts';
import type { Acknowledged, Load } from './load.ts';

/** What has been sent to the receiver, by the thing that it tells of. */
const deliveries = ({ requests }: Receiver) =>
  requests.map(({ headers, body }) => {
    const { eventType, submissionId, result } = JSON.parse(body.toString());
    const about = eventType === 'batch.completed' ? result.batchRef : submissionId;
    return {
      told: `${eventType} ${about}`,
      id: String(headers['x-webhook-id']),
      bytes: body.toString('base64'),
    };
  });

/** The names by which more than one thing is known. */
const ambiguous = <T>(items: readonly T[], by: (item: T) => string, of: (item: T) => string) => {
  const groups = new Map<string, Set<string>>();
  for (const item of items) groups.set(by(item), (groups.get(by(item)) ?? new Set()).add(of(item)));
  return [...groups].filter(([, things]) => things.size !== 1).map(([name]) => name);
};

/** Everything that was acknowledged is there, once, and has come to its end. */
export const nothingLost = async ({ acknowledged, insist, jobOf, untilProcessed }: Load): Promise<void> => {
  for (const made of acknowledged) {
    const { clientSubmissionId, isSubmitted, kind } = made;
    assert.is((await jobOf(made))?.clientSubmissionId, clientSubmissionId);
    const path = `/api/v1/submissions?clientSubmissionId=${clientSubmissionId}`;
    const { body } = (await insist((api) => api.get(path))).reply;
    assert.equal(
      body.data.map(({ id }: { id: string }) => id),
      [made.submissionId],
      clientSubmissionId,
    );
    if (isSubmitted) await untilProcessed(made);
    if (kind === 'cancel') assert.is((await jobOf(made))?.submissionStatus, 'cancelled');
    if (made.decisions.length > 0) assert.equal([...made.decisions].sort(), [200, 409], clientSubmissionId);
  }
};

/** Of those that hold the same data the first in the log is clean, and every other one is found out. */
export const everyDuplicateFound = async ({ acknowledged, insist }: Load): Promise<void> => {
  const groups = new Map<string, string[]>();
  for (const { submissionId, kind, isSubmitted } of acknowledged) {
    if (kind !== 'fraud' || !isSubmitted) continue;
    const { body } = (await insist((api) => api.get(`/api/v1/submissions/${submissionId}`))).reply;
    const { total } = body.extractedData;
    groups.set(total, [...(groups.get(total) ?? []), body.fraudStatus]);
  }
  for (const [total, statuses] of groups)
    assert.is(statuses.filter((status) => status === 'clean').length, 1, `${total}: ${statuses}`);
};

/** Each batch is completed, each delivery has ended, and nothing waits or stands still anywhere. */
export const nothingLeft = async (load: Load, cluster: Cluster): Promise<void> => {
  const batchRefs = new Set(
    load.acknowledged.filter(({ kind }) => kind !== 'cancel').map(({ batchRef }) => batchRef),
  );
  for (const batchRef of batchRefs)
    await eventually(
      `the completion of ${batchRef}`,
      async () =>
        (await load.insist((api) => api.get(`/api/v1/batches/${batchRef}`))).reply.body.status ===
        'completed',
      30_000,
    );
  for (const made of load.acknowledged.filter(({ isSubmitted }) => isSubmitted))
    await eventually(
      `the delivery of ${made.submissionId}`,
      async () => (await load.jobOf(made))?.webhookDeliveryStatus === 'delivered',
      30_000,
    );
  const [node] = cluster.up();
  if (!node) throw new Error('no node is up');
  for (const series of ['intake_queue_items{queue="processing"}', 'intake_queue_items{queue="deliveries"}'])
    await eventually(`${series} is 0`, async () => (await figureOf(node, series)) === 0);
  for (const series of ['intake_quarantined_documents', 'intake_reactions_set_aside']) {
    const text = await (await fetch(`${node.url}/metrics`)).text();
    const counts = [...text.matchAll(new RegExp(`^${series}\\{.*\\} (\\d+)$`, 'gm'))].map(
      ([, count]) => count,
    );
    assert.ok(counts.length > 0 && counts.every((count) => count === '0'), `${series}: ${counts}`);
  }
};

/** Each thing was told of under one id, and each id with the same bytes, however often it was sent. */
export const oneIdEach = (load: Load, receiver: Receiver): void => {
  const sent = deliveries(receiver);
  const idOf = ({ id }: (typeof sent)[number]): string => id;
  assert.equal(
    ambiguous(sent, ({ told }) => told, idOf),
    [],
  );
  assert.equal(
    ambiguous(sent, idOf, ({ bytes }) => bytes),
    [],
  );
  const told = new Set(sent.map((one) => one.told));
  const missing = load.acknowledged.filter(
    (made) => made.isSubmitted && !endings(made).some((one) => told.has(one)),
  );
  assert.equal(missing, []);
};

const endings = ({ submissionId }: Acknowledged): readonly string[] =>
  ['completed', 'review_required', 'failed'].map((end) => `session.${end} ${submissionId}`);

/**
 * What may happen once stands in the log once: a batch's completion, a round's end, a delivery's request and
 * end.
 */
export const onceInTheLog = async ({ log }: Pick<Core, 'log'>): Promise<void> => {
  const counts = new Map<string, number>();
  const stop = new AbortController();
  const follow = { prefixes: ['batch-', 'submission-', 'webhookDelivery-'], page: 500, signal: stop.signal };
  for await (const { events, live } of log.follow(null, follow)) {
    for (const { type, stream } of events)
      if (ONCE.has(kindOf(type))) {
        const what = `${kindOf(type)} ${stream}`;
        counts.set(what, (counts.get(what) ?? 0) + 1);
      }
    if (live) break;
  }
  assert.ok(counts.size > 0);
  assert.equal(
    [...counts].filter(([, count]) => count !== 1),
    [],
  );
};

const ONCE = new Set([
  'BatchCompleted',
  'SessionCreated',
  'SessionSubmitted',
  'decided',
  'ended',
  'WebhookRequested',
  'WebhookDelivered',
]);

const kindOf = (type: string): string => {
  if (['SubmissionApproved', 'SubmissionRejected', 'SubmissionCancelled'].includes(type)) return 'decided';
  return ['SubmissionProcessed', 'SubmissionProcessingFailed'].includes(type) ? 'ended' : type;
};
