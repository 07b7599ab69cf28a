import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { webhookEventTypes } from '../../domain/webhookEvents.ts';
import { suite } from '../harness.ts';
import type { Client } from '../support/client.ts';
import { runIntake } from '../support/commandLine.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startService, type TestService } from '../support/service.ts';
import { documentOf, refusalOf, start } from './run.ts';

const test = suite('intake trigger');
let service: TestService;
let api: Client;
let settings: Readonly<{ INTAKE_URL: string; INTAKE_KEY: string }>;

test.before(async () => {
  service = await startService({ BATCH_GRACE: '1ms', SWEEP: '1s' });
  const company = await service.company(receiptDefinition, 'test');
  api = company.api;
  settings = { INTAKE_URL: service.url, INTAKE_KEY: company.key };
});
test.after(() => service.close());

type Triggered = Readonly<{
  eventId: string;
  eventType: string;
  submissionId: string | null;
  batchRef: string | null;
}>;

for (const type of webhookEventTypes)
  test(`${type} happens once, and its event is named [cli-15]`, async () => {
    for (const words of [[], ['--workflow', 'receipt']]) {
      const triggered = documentOf<Triggered>(await runIntake(settings, 'trigger', type, '--json', ...words));
      assert.is(triggered.eventType, type);
      const { data } = (await api.get(`/api/v1/events?limit=100&types=${type}`)).body;
      const { eventId, submissionId, batchRef } = data.at(-1);
      assert.equal(triggered, { ...triggered, eventId, submissionId, batchRef });
      assert.is(submissionId === null, type === 'batch.completed');
    }
  });

test('a live key is refused before anything is submitted [cli-15]', async () => {
  const { api: live, key } = await service.company();
  // The workflow that is not there would be the next to be refused.
  for (const words of [['--workflow', 'unknown'], []]) {
    const environment = { ...settings, INTAKE_KEY: key };
    const ended = await runIntake(environment, 'trigger', 'session.completed', '--json', ...words);
    const { code, exitCode, hint } = refusalOf(ended);
    assert.equal([code, exitCode], ['key-is-live', 1]);
    assert.match(hint ?? '', '--test');
  }
  assert.equal((await live.get('/api/v1/submissions')).body.data, []);
});

test('what can’t be triggered is refused with the reason', async () => {
  const said = async (...words: readonly string[]) =>
    refusalOf(await runIntake(settings, 'trigger', '--json', ...words));
  assert.equal((await said('session.done')).code, 'wrong-usage');
  assert.is((await said('session.failed', '--workflow', 'unknown')).code, 'not-found');
  const upload = { ...receiptDefinition.upload, acceptedFormats: ['image/webp'] };
  const { key } = await service.company({ ...receiptDefinition, slug: 'webp', upload }, 'test');
  const ended = await runIntake({ ...settings, INTAKE_KEY: key }, 'trigger', 'session.failed', '--json');
  assert.is(refusalOf(ended).code, 'no-fitting-workflow');
});

test('Ctrl-C ends it at once, also where the service does not answer', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const INTAKE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running = start({ ...settings, INTAKE_URL }, 'trigger', 'session.failed', '--json');
  try {
    await once(server, 'request');
    running.child.kill('SIGINT');
    assert.is(refusalOf(await running.ended).code, 'cancelled');
  } finally {
    running.child.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
  }
});
