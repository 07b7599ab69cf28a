import * as assert from 'uvu/assert';
import { type Receiver, receiverSettings, startReceiver } from '../../scripts/receiver.ts';
import { eventually, rounds, suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { openWorld, type World } from '../support/world.ts';

const test = suite('kill -9 under load');
const KILLS = rounds(1, 20);
const CLIENTS = rounds(3, 6);

let receiver: Receiver;
let world: World;
let api: Client;

test.before(async () => {
  receiver = await startReceiver();
  world = await openWorld((dataDir) => ({
    ...receiverSettings(receiver, dataDir),
    ...{ BATCH_GRACE: '0s', SWEEP: '1s' },
  }));
  await world.start();
  ({ api } = world);
});
test.after(async () => {
  await world.close();
  await receiver.close();
});

/** What the service has acknowledged: sessions opened and sessions submitted. */
const acknowledged = { opened: new Map<string, string>(), submitted: new Set<string>() };
let named = 0;

const whileDown = async (error: unknown): Promise<void> => {
  // Only the network may fail: a wrong answer is a defect.
  if (!(error instanceof TypeError)) throw error;
  await new Promise((resolve) => setTimeout(resolve, 20));
};

/** One integration: opens, uploads, submits (again and again until it is acknowledged), and starts over. */
const integrate = async (stopped: () => boolean): Promise<void> => {
  while (!stopped()) {
    named += 1;
    const clientSubmissionId = `order-${named}`;
    try {
      const webhookUrl = `${receiver.url}/${clientSubmissionId}`;
      const input = { clientSubmissionId, webhookUrl, batchRef: clientSubmissionId };
      const session = await api.open([receiptText({ total: named })], input);
      acknowledged.opened.set(session.sessionId, clientSubmissionId);
      await submitUntilAcknowledged(session);
    } catch (error) {
      await whileDown(error);
    }
  }
};

const submitUntilAcknowledged = async (session: { sessionId: string }): Promise<void> => {
  for (;;) {
    try {
      const { status, text } = await api.submit(session);
      assert.is(status, 202, text);
      acknowledged.submitted.add(session.sessionId);
      return;
    } catch (error) {
      await whileDown(error);
    }
  }
};

const killUnderLoad = async (): Promise<void> => {
  const before = {
    opened: acknowledged.opened.size,
    submitted: acknowledged.submitted.size,
    told: receiver.requests.length,
  };
  await eventually(
    'work under way',
    () =>
      acknowledged.opened.size >= before.opened + 8 &&
      acknowledged.submitted.size >= before.submitted + 5 &&
      receiver.requests.length > before.told,
    30_000,
  );
  await world.restart();
};

test(
  `${KILLS} kills: nothing acknowledged is lost or doubled`,
  async () => {
    let done = false;
    const load = Array.from({ length: CLIENTS }, () => integrate(() => done));
    for (let kill = 0; kill < KILLS; kill += 1) await killUnderLoad();
    done = true;
    await Promise.all(load);

    for (const [sessionId, clientSubmissionId] of acknowledged.opened) {
      const { status, body } = await api.job({ sessionId });
      assert.equal([status, body?.clientSubmissionId], [200, clientSubmissionId]);
    }
    for (const sessionId of acknowledged.submitted) {
      const job = await api.ended({ sessionId }, 60_000);
      assert.is(job.submissionStatus, 'approved', JSON.stringify(job));
      await eventually(
        'its delivery',
        async () => (await api.job({ sessionId })).body.webhookDeliveryStatus === 'delivered',
      );
    }
    for (const clientSubmissionId of acknowledged.opened.values()) {
      const { body } = await api.get(`/api/v1/submissions?clientSubmissionId=${clientSubmissionId}`);
      assert.is(body.data.length, 1, `${clientSubmissionId} is there ${body.data.length} times`);
    }
    assert.ok(acknowledged.submitted.size >= KILLS * 5);
  },
  { timeoutMs: KILLS * 30_000 + 60_000 },
);

test(
  'each submission and each batch was told of under one event id [webhooks-13]',
  async () => {
    const idsOf = () => {
      const ids = new Map<string, Set<unknown>>();
      for (const { path, headers } of receiver.requests) {
        const told = `${headers['x-webhook-event']} ${path}`;
        ids.set(told, (ids.get(told) ?? new Set()).add(headers['x-webhook-id']));
      }
      return ids;
    };
    const all = (type: string) =>
      [...acknowledged.submitted].map((id) => `${type} /${acknowledged.opened.get(id)}`);
    await eventually(
      'the completion of every batch',
      () => {
        const ids = idsOf();
        return all('batch.completed').every((told) => ids.has(told));
      },
      30_000,
    );
    const ids = idsOf();
    assert.equal(
      [...ids].filter(([, set]) => set.size !== 1),
      [],
    );
    for (const told of all('session.completed')) assert.ok(ids.has(told));
  },
  { timeoutMs: 60_000 },
);
