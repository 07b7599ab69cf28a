import * as assert from 'uvu/assert';
import { submissionStream } from '../../../domain/submission/submission.ts';
import type { Recorded } from '../../../kernel/event.ts';
import { setAside } from '../../../reactors/engine/setAside.ts';
import type { Core } from '../../../runtime/wire.ts';
import { eventually, suite } from '../../harness.ts';
import { type Client, receiptText } from '../../support/client.ts';
import { openCore } from '../../support/core.ts';
import { appendForeign } from '../../support/foreign.ts';
import { peopleOf } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';

const test = suite('what was set aside, over HTTP [operations-18]');
const REACTIONS = '/api/v1/operations/reactions';
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let core: Core;
let admin: Client;
let stream: string;
test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
  core = await openCore(service.config);
  ({ api: admin } = await people.user());
  const { api } = await service.company();
  const webhookUrl = `${service.receiver.url}/aside`;
  const job = await api.process([receiptText()], { webhookUrl });
  stream = submissionStream(job.submissionId);
  await eventually(
    'its delivery',
    async () => (await api.job(job)).body.webhookDeliveryStatus === 'delivered',
  );
});
test.after(async () => {
  await core.close();
  await people.close();
  await service.close();
});

test('parked events are listed in the order of the log, with what this release does not support', async () => {
  const data = { words: 'Ann Doe' };
  await appendForeign(core, stream, { type: 'SubmissionPraised', data });
  const last = await appendForeign(core, stream, { type: 'SubmissionApproved', data, schema: 99 });
  await eventually('the read models have passed them', () => core.progress.reached(last, 10));
  const { body, text } = await admin.get('/api/v1/operations/parked');
  const told = body.data.map((one: Record<string, unknown>) => [
    one.type,
    one.version,
    one.reason,
    one.stream,
  ]);
  assert.equal(told, [
    ['SubmissionPraised', 1, 'unknown-type', stream],
    ['SubmissionApproved', 99, 'unknown-version', stream],
  ]);
  assert.equal([body.data[1].position, body.pagination.hasMore], [last, false]);
  assert.not.match(text, /Ann Doe/);
  const first = (await admin.get('/api/v1/operations/parked?limit=1')).body;
  assert.is(first.data[0].type, 'SubmissionPraised');
  const { nextCursor } = first.pagination;
  const second = (await admin.get(`/api/v1/operations/parked?limit=1&cursor=${nextCursor}`)).body;
  assert.equal([second.data[0].type, second.pagination.nextCursor], ['SubmissionApproved', null]);
  await core.documents.tables.insert('parkedEvents', 'zzz', {
    ...{ position: 'zzz', stream, revision: 1, id: core.ids.event(), type: 'SubmissionSynced', schema: 1 },
  });
  const { data: all } = (await admin.get('/api/v1/operations/parked')).body;
  assert.is(all.at(-1).reason, 'awaits-rebuild');
});

test('reactions are listed with their reasons, and retried: once done they are set aside no longer', async () => {
  const { events } = await core.log.load(stream);
  const event = events.find(({ type }) => type === 'SubmissionProcessed') as Recorded;
  const { tables } = core.documents;
  const failing = { ...event, id: core.ids.event() };
  await setAside(tables, 'requestDeliveries', event, new Error('no "Ann Doe" at ann@example.com'));
  await setAside(tables, 'finishInvitations', failing, new Error('away'));
  const { body } = await admin.get(REACTIONS);
  assert.equal(
    body.data.map(({ reactor }: { reactor: string }) => reactor),
    ['finishInvitations', 'requestDeliveries'],
  );
  const { data } = (await admin.get(`${REACTIONS}?reactor=requestDeliveries`)).body;
  assert.equal(data, [
    {
      ...{ reactor: 'requestDeliveries', eventId: event.id, position: event.position, stream },
      reason: 'Error: no "[redacted]" at [redacted]',
    },
  ]);
  const before = service.receiver.requests.length;
  const done = await admin.post(`${REACTIONS}/requestDeliveries/${event.id}/retry`);
  assert.equal(done.body, { reactor: 'requestDeliveries', eventId: event.id, done: true, reason: null });
  const again = await admin.post(`${REACTIONS}/requestDeliveries/${event.id}/retry`);
  assert.equal([again.status, again.body.code], [404, 'not-found']);
  const failed = await admin.post(`${REACTIONS}/finishInvitations/${failing.id}/retry`);
  assert.equal([failed.status, failed.body.done], [200, false]);
  assert.is(failed.body.reason, `Error: the log gives no event ${failing.id}`);
  const left = (await admin.get(REACTIONS)).body.data;
  assert.equal([left.length, left[0].reason], [1, failed.body.reason]);
  assert.is(service.receiver.requests.length, before, 'what was delivered is not delivered again');
});

test('what is not set aside is a 404', async () => {
  for (const [reactor, eventId] of [
    ['requestDeliveries', core.ids.event()],
    ['nobody', core.ids.event()],
    ['requestDeliveries', 'nope'],
    ['a%2Fb', core.ids.event()],
  ])
    assert.is((await admin.post(`${REACTIONS}/${reactor}/${eventId}/retry`)).status, 404, reactor);
});
