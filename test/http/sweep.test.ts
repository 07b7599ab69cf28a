import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { roles } from '../../cli/runtime.ts';
import { serve } from '../../runtime/serve.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import { type Receiver, startReceiver } from '../../scripts/receiver.ts';
import { eventually, suite } from '../harness.ts';
import { type Client, client, receiptText } from '../support/client.ts';
import { type OwnEngines, ownEngines } from '../support/ownEngines.ts';
import { testSettings } from '../support/service.ts';
import { createTenant } from '../support/tenant.ts';

const test = suite('the sweep of a running service [settings-4]');
let dataDir: string;
let receiver: Receiver;
let key: string;
let engines: OwnEngines;
const settings = (more: Readonly<Record<string, string>>) =>
  testSettings(dataDir, {
    WEBHOOK_CA: join(dataDir, 'receiver.pem'),
    BATCH_GRACE: '0s',
    ...engines.settings,
    ...more,
  });

test.before(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'intake-sweep-'));
  engines = await ownEngines();
  receiver = await startReceiver();
  writeFileSync(join(dataDir, 'receiver.pem'), receiver.ca);
  key = (await createTenant(settings({}))).key;
});
test.after(async () => {
  await engines.close();
  await receiver.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A service with these settings, while `body` runs. */
const served = async (
  more: Readonly<Record<string, string>>,
  body: (api: Client) => Promise<void>,
): Promise<void> => {
  const service = await serve(readConfig(settings(more)), roles);
  try {
    await body(client(service.url ?? '', key));
  } finally {
    await service.close();
  }
};
const batchOf = async (api: Client, batchRef: string) => (await api.get(`/api/v1/batches/${batchRef}`)).body;
const expired = (api: Client, session: { sessionId: string }) =>
  eventually('the expiry', async () => {
    const { body } = await api.job(session);
    return body.state === 'expired' && body;
  });

test('a session that is not submitted in time expires: cancelled, with its reason and its webhook [lifecycle-8]', () =>
  served({ SWEEP: '1s', SESSION_TTL: '3s' }, async (api) => {
    const session = await api.open([], { webhookUrl: `${receiver.url}/expired`, batchRef: 'gone' });
    const job = await expired(api, session);
    assert.is(job.submissionStatus, 'cancelled');
    const { body: detail } = await api.get(`/api/v1/submissions/${session.submissionId}`);
    assert.equal(
      [detail.submissionStatus, detail.cancelReason],
      ['cancelled', 'The session expired before it was submitted.'],
    );
    const told = (type: string) =>
      receiver.waitFor(({ path, headers }) => path === '/expired' && headers['x-webhook-event'] === type);
    const { body } = await told('submission.cancelled');
    const { eventType, state, submissionStatus, result } = JSON.parse(body.toString());
    assert.equal(
      [eventType, state, submissionStatus, result],
      ['submission.cancelled', 'expired', 'cancelled', null],
    );
    await told('batch.completed');
    const { status, counts } = await batchOf(api, 'gone');
    assert.equal([status, counts.total], ['completed', 0], 'it has left its batch, which nobody is in');
    assert.is((await api.submit(session)).status, 409);
  }));

test(
  'what fell due while the service was down is done at its start [batches-11]',
  async () => {
    // The start's sweep is the only one.
    const hourly = { SWEEP: '1h' };
    const made: { sessionId: string; expiresAt: string }[] = [];
    await served({ ...hourly, SESSION_TTL: '3s' }, async (api) => {
      made.push(await api.open([], { batchRef: 'waiting' }));
    });
    const [session] = made;
    if (!session) throw new Error('no session');
    await eventually('the end of its time', () => Date.now() > Date.parse(session.expiresAt));
    await served(hourly, async (api) => {
      await expired(api, session);
      await api.process([receiptText()], { batchRef: 'meanwhile', webhookUrl: `${receiver.url}/meanwhile` });
      assert.is((await batchOf(api, 'meanwhile')).status, 'open');
    });
    await served(hourly, async (api) => {
      await eventually(
        'the completion',
        async () => (await batchOf(api, 'meanwhile')).status === 'completed',
      );
      await receiver.waitFor(({ headers }) => headers['x-webhook-event'] === 'batch.completed');
    });
  },
  { timeoutMs: 60_000 },
);

test('a restart completes nothing twice', async () => {
  await served({ SWEEP: '1s' }, async (api) => {
    await api.process([receiptText()], { batchRef: 'after' });
    await eventually('another batch', async () => (await batchOf(api, 'after')).status === 'completed');
  });
  const completions = receiver.requests.filter(
    ({ headers }) => headers['x-webhook-event'] === 'batch.completed',
  );
  // An attempt that a stop leaves without a record is made again, under the same identifier (webhooks are
  // delivered at least once).
  const paths = new Map(completions.map(({ headers, path }) => [headers['x-webhook-id'], path]));
  assert.equal([...paths.values()], ['/expired', '/meanwhile']);
});
