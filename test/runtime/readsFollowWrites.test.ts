import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { projectLive } from '../../projections/engine/live.ts';
import { type Core, wireCore } from '../../runtime/wire.ts';
import type { EventLog } from '../../stores/events/log.ts';
import { suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('reads follow writes [reads-2]');
const LAG_MS = 150;
const stop = new AbortController();
let service: TestService;
let projecting: Promise<void>;
let maker: Client;
let other: Client;
let core: Core;

/** A log whose follower is behind it, as a busy node's would be. */
const lagging = (log: EventLog): EventLog => ({
  ...log,
  async *follow(after, options) {
    for await (const page of log.follow(after, options)) {
      await sleep(LAG_MS);
      yield page;
    }
  },
});

test.before(async () => {
  service = await startService({}, {}, ['api']);
  const company = await service.company();
  maker = company.api;
  other = (await service.key(company.id)).api;
  // Another node makes the read models: the API learns of them by their checkpoint alone.
  core = await wireCore(service.config);
  projecting = projectLive({ ...core, owner: 'another node', log: lagging(core.log) }, stop.signal);
});
test.after(async () => {
  stop.abort();
  await projecting;
  await core.close();
  await service.close();
});

const listed = async (): Promise<readonly Readonly<{ id: string; submissionStatus: string }>[]> =>
  (await other.get('/api/v1/submissions')).body.data;

test('a session is in the list, the detail and the job as soon as its making is answered, whoever asks', async () => {
  const { body, status } = await maker.post('/api/v1/workflows/receipt/sessions');
  assert.is(status, 201);
  assert.is((await listed())[0]?.id, body.submissionId);
  assert.is((await other.get(`/api/v1/submissions/${body.submissionId}`)).status, 200);
  assert.is((await maker.job(body)).body.state, 'pending');
});

test('a submit shows in the job and the history at once', async () => {
  const session = await maker.open([receiptText()]);
  const { status, body } = await maker.submit(session);
  assert.equal([status, body.state], [202, 'queued']);
  assert.is((await maker.job(session)).body.state, 'queued');
  const { events } = (await other.get(`/api/v1/submissions/${session.submissionId}`)).body;
  assert.is(events.at(-1).type, 'session.submitted');
});

test('a decision of one key shows to the other at once, everywhere [reads-3]', async () => {
  const session = await maker.open([]);
  const path = `/api/v1/submissions/${session.submissionId}`;
  assert.is((await other.post(`${path}/cancel`)).status, 200);
  assert.equal((await maker.job(session)).body.submissionStatus, 'cancelled');
  assert.is((await maker.get(path)).body.submissionStatus, 'cancelled');
  assert.is((await listed()).find(({ id }) => id === session.submissionId)?.submissionStatus, 'cancelled');
});
