import { createHash, createHmac } from 'node:crypto';
import { request } from 'node:http';
import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../../harness.ts';
import { receiptText } from '../../support/client.ts';
import { startService, type TestService } from '../../support/service.ts';
import { batchOf, completion, GRACE_MS, makeWorld, settings, type World } from './world.ts';

const test = suite('batches');
let service: TestService;
let world: World;
test.before(async () => {
  service = await startService(settings);
  world = await makeWorld(service);
});
test.after(() => service.close());

const completedOn = (path: string) =>
  service.receiver.waitFor(
    (request) => request.path === path && request.headers['x-webhook-event'] === 'batch.completed',
  );

test('a batch begins with its first session, open, and counts it [batches-14]', async () => {
  const session = await world.open('first');
  assert.equal(await batchOf(world.api, 'first'), {
    batchRef: 'first',
    status: 'open',
    counts: { total: 1, processed: 0, review: 0, failed: 0, approved: 0 },
    createdAt: session.createdAt,
    completedAt: null,
  });
});

test('the counts follow what becomes of the sessions [batches-3, batches-4]', async () => {
  const { api, process, open } = world;
  const [job] = await Promise.all([process('counts'), open('counts')]);
  const counts = async () => (await batchOf(api, 'counts')).counts;
  // A job may show its end a moment before its batch does: they are two read models.
  const processed = (count: number) =>
    eventually(`${count} processed`, async () => (await counts()).processed === count);
  await processed(1);
  assert.equal(await counts(), { total: 2, processed: 1, review: 1, failed: 0, approved: 0 });
  await api.post(`/api/v1/submissions/${job.submissionId}/approve`);
  assert.equal(await counts(), { total: 2, processed: 1, review: 0, failed: 0, approved: 1 });
  await api.process([{ content: '{"broken', mimeType: 'application/json' }], { batchRef: 'counts' });
  await processed(2);
  assert.equal(await counts(), { total: 3, processed: 2, review: 0, failed: 1, approved: 1 });
});

test('a submission that needs a better picture counts as processed and as failed [batches-3, batches-4]', async () => {
  const { api } = await service.key(world.id, 'test');
  const input = { batchRef: 'blocked', metadata: { 'intake:outcome': 'capture_quality_blocked' } };
  const job = await api.process([{ content: 'x', mimeType: 'text/plain' }], input);
  assert.is(job.submissionStatus, 'capture_quality_blocked');
  const counts = async () => (await batchOf(api, 'blocked')).counts;
  await eventually('it counts', async () => (await counts()).processed === 1);
  assert.equal(await counts(), { total: 1, processed: 1, review: 0, failed: 1, approved: 0 });
});

test('a batch that nobody has made is unknown', async () => {
  const { status, body } = await world.api.get('/api/v1/batches/nobody');
  assert.equal([status, body.code], [404, 'not-found']);
});

test('a batchRef has 1 to 128 characters of A-Z, a-z, 0-9, dot, underscore and hyphen, in a path as in a body [requests-4, sessions-5]', async () => {
  const { api } = world;
  for (const bad of ['a%20b', 'a%2Fb', '%C3%A9', 'x'.repeat(129)]) {
    const { status, body } = await api.get(`/api/v1/batches/${bad}`);
    assert.equal([status, body.errors?.[0]?.pointer], [400, '/path/batchRef'], bad);
    const input = { batchRef: decodeURIComponent(bad) };
    const refused = await api.post('/api/v1/workflows/receipt/sessions', input);
    assert.equal([refused.status, refused.body.errors?.[0]?.pointer], [422, '/batchRef'], bad);
  }
  for (const good of ['x'.repeat(128), 'A-z.0_9', '_']) {
    await api.open([], { batchRef: good });
    assert.is((await batchOf(api, good)).batchRef, good);
  }
});

test('a batch is of its company and mode: the same name elsewhere is another batch [batches-1]', async () => {
  const { api, id, second } = world;
  const [other, ofTestMode] = await Promise.all([service.company(), service.key(id, 'test')]);
  await api.open([], { batchRef: 'shared' });
  await second.api.open([], { batchRef: 'shared' });
  assert.is((await batchOf(api, 'shared')).counts.total, 2, 'each key of the company');
  for (const elsewhere of [other.api, ofTestMode.api]) {
    assert.is((await elsewhere.get('/api/v1/batches/shared')).status, 404);
    await elsewhere.open([], { batchRef: 'shared' });
    assert.is((await batchOf(elsewhere, 'shared')).counts.total, 1);
  }
  assert.is((await batchOf(api, 'shared')).counts.total, 2);
});

test('the batches of a company and mode are listed, newest first, by status and time [batches-15]', async () => {
  const { api, id } = await service.company();
  const [ofTestMode, second] = await Promise.all([service.key(id, 'test'), service.key(id)]);
  await api.process([receiptText()], { batchRef: 'older' });
  await completion(api, 'older');
  for (const by of [second.api, second.api, ofTestMode.api]) await by.open([], { batchRef: 'newer' });
  const listed = async (query: string, by = api) => {
    const { status, body, text } = await by.get(`/api/v1/batches?${query}`);
    assert.is(status, 200, text);
    return body;
  };
  const namesIn = async (query: string) =>
    (await listed(query)).data.map(({ batchRef }: { batchRef: string }) => batchRef);
  const { data } = await listed('');
  assert.equal(data, [await batchOf(api, 'newer'), await batchOf(api, 'older')]);
  assert.is((await listed('', ofTestMode.api)).data[0].counts.total, 1);
  assert.equal((await listed('', world.second.api)).data.filter(sameAs(data[0])), []);
  const { createdAt } = data[0];
  for (const [query, expected] of [
    ['status=open', ['newer']],
    ['status=completed', ['older']],
    [`createdAfter=${createdAt}`, ['newer']],
    [`status=completed&createdBefore=${createdAt}`, ['older']],
    [`status=open&createdBefore=${createdAt}`, []],
  ] as const)
    assert.equal(await namesIn(query), expected, query);
  const first = await listed('limit=1');
  assert.equal(await namesIn(`limit=1&cursor=${first.pagination.nextCursor}`), ['older']);
  for (const query of ['status=done', 'createdAfter=yesterday'])
    assert.is((await api.get(`/api/v1/batches?${query}`)).status, 400, query);
});

const sameAs = (batch: { createdAt: string }) => (other: { createdAt: string }) =>
  other.createdAt === batch.createdAt;

test('batch.completed goes to the newest session with an address, signed with its key, and tells the batch [batches-12, batches-13]', async () => {
  const batch = await batchOf(world.api, 'told');
  const { headers, body } = await completedOn('/newest');
  const secret = createHash('sha256').update(world.second.key).digest('hex');
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  assert.is(headers['x-webhook-signature'], `sha256=${signature}`);
  const judge = new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`);
  judge.verify(body.toString(), headers as Record<string, string>);
  assert.equal(JSON.parse(body.toString()), {
    eventId: headers['x-webhook-id'],
    eventType: 'batch.completed',
    occurredAt: batch.completedAt,
    sessionId: null,
    submissionId: null,
    workflow: null,
    state: 'completed',
    submissionStatus: null,
    result: batch,
    clientSubmissionId: null,
    metadata: null,
    batchRef: 'told',
  });
  assert.equal(batch.counts, { total: 3, processed: 3, review: 3, failed: 0, approved: 0 });
});

test('a batch completes once: later sessions raise the counts and emit no second event [batches-9]', async () => {
  const { first, after } = world;
  await completedOn('/once');
  assert.equal([first.once.counts.total, after.once.counts.total, after.once.counts.processed], [1, 2, 2]);
  assert.equal(
    [after.once.status, after.once.completedAt],
    ['completed', first.once.completedAt],
    'status and completedAt never change',
  );
  const events = service.receiver.requests
    .filter(({ path }) => path === '/once')
    .map(({ headers }) => headers['x-webhook-event']);
  assert.equal(events.sort(), ['batch.completed', 'session.review_required', 'session.review_required']);
});

test('a session that is not processed holds its batch open, until it is', () => {
  const { first, after } = world;
  assert.equal([first.held.status, first.held.counts.processed, first.held.counts.total], ['open', 1, 2]);
  assert.equal([after.held.status, after.held.counts.processed], ['completed', 2]);
});

test('no batch completes before its newest session is as old as the grace [batches-7]', async () => {
  for (const name of ['told', 'once', 'held', 'stays', 'silent'] as const) {
    const { completedAt } = world.after[name];
    const { body } = await world.api.get(
      `/api/v1/submissions?batchRef=${name}&createdBefore=${completedAt}&limit=1`,
    );
    assert.ok(Date.parse(completedAt) - Date.parse(body.data[0].createdAt) >= GRACE_MS, name);
  }
});

test('a session cancelled before it was processed leaves the set, and holds nothing open [batches-5]', () => {
  const { first, after } = world;
  assert.equal([first.left.status, first.left.counts.total], ['open', 2]);
  assert.equal([after.left.status, after.left.counts.total], ['completed', 1]);
});

test('a session cancelled after it was processed stays in the set', () => {
  const { status, counts } = world.first.stays;
  assert.equal(
    [status, counts],
    ['completed', { total: 1, processed: 1, review: 0, failed: 0, approved: 0 }],
  );
});

test('a set that all have left completes with counts of 0, and tells the newest session that had an address [batches-6]', async () => {
  const { status, counts, completedAt } = world.first.empty;
  assert.equal(counts, { total: 0, processed: 0, review: 0, failed: 0, approved: 0 });
  assert.is(status, 'completed');
  assert.equal(world.after.empty, world.first.empty);
  const { body } = await completedOn('/left');
  assert.equal(JSON.parse(body.toString()).result, { ...world.first.empty, completedAt });
  const feed = (await world.api.get('/api/v1/events?types=batch.completed&limit=100')).body.data;
  const told = feed.filter(({ batchRef }: { batchRef: string }) => batchRef === 'empty');
  assert.is(told.length, 1);
});

test('the batchRefs . and .. are refused with the reason: clients of URLs could not send them [sessions-5]', async () => {
  for (const bad of ['.', '..']) {
    const { status, body } = await world.api.post('/api/v1/workflows/receipt/sessions', { batchRef: bad });
    assert.equal([status, body.errors.length, body.errors[0].pointer], [422, 1, '/batchRef']);
    assert.ok(body.errors[0].detail.includes('step in a path'), body.errors[0].detail);
    const list = await world.api.get(`/api/v1/submissions?batchRef=${bad}`);
    assert.equal([list.status, list.body.errors[0].pointer], [400, '/query/batchRef']);
    const raw = await rawStatus(`/api/v1/batches/${bad}`);
    assert.is(raw, 400, 'as it is sent by what does not resolve it');
  }
  await world.open('...');
  assert.is((await batchOf(world.api, '...')).counts.total, 1, 'three are a name like any other');
});

/** Asked by Node's own client, which sends a path as it is given. */
const rawStatus = (path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const headers = { authorization: `Bearer ${world.key}` };
    request({ hostname, port, path, headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });

test('a batch whose sessions have no address completes and tells nobody', async () => {
  assert.is(world.first.silent.status, 'completed');
  assert.is((await world.api.job(world.silent)).body.webhookDeliveryStatus, null);
});

test('batch.completed counts for no job; its delivery is of no session, and of the key it was signed with [webhooks-20]', async () => {
  const { headers } = await completedOn('/once');
  const delivery = await eventually('its delivery', async () => {
    const { body } = await world.api.get(`/api/v1/webhook-deliveries/${headers['x-webhook-id']}`);
    return body.status === 'delivered' && body;
  });
  assert.equal(
    [delivery.eventType, delivery.sessionId, delivery.submissionId],
    ['batch.completed', null, null],
  );
  assert.is((await world.api.job(world.once)).body.webhookDeliveryStatus, 'delivered');
});

test('with the redaction of its last session a completed batch loses its name and address for ever [batches-16]', async () => {
  const { api, process } = world;
  const batchRef = 'trip-Marta-Quillfeather';
  const jobs = [await process(batchRef, `/${batchRef}`), await process(batchRef)];
  await completion(api, batchRef);
  const { eventId } = JSON.parse(`${(await completedOn(`/${batchRef}`)).body}`);
  const delivery = async () => (await api.get(`/api/v1/webhook-deliveries/${eventId}`)).body;
  assert.match((await delivery()).body, batchRef);
  const redact = async ({ submissionId }: { submissionId: string }): Promise<void> => {
    const path = `/api/v1/submissions/${submissionId}`;
    const basis = { reason: 'article 17', legalBasis: 'erasure_request' };
    assert.is((await api.post(`${path}/redact`, basis)).status, 202);
    await eventually('the redaction', async () => (await api.get(path)).body.redaction === 'done');
  };
  const list = async () => (await api.get('/api/v1/batches?limit=100')).text;
  const [first, last] = jobs;
  if (!first || !last) throw new Error('there are two');
  await redact(first);
  assert.match(await list(), batchRef);
  assert.match((await delivery()).body, batchRef);
  await redact(last);
  assert.is((await list()).includes(batchRef), false);
  await eventually('the delivery is gone', async () => (await delivery()).body === null);
  assert.equal([(await delivery()).receiver, (await delivery()).status], [null, 'delivered']);
  const told = async () => {
    const { data } = (await api.get('/api/v1/events?types=batch.completed&limit=100')).body;
    return data.find((one: { eventId: string }) => one.eventId === eventId);
  };
  await eventually('the log has no name', async () => (await told()).batchRef === null);
  const { status, counts } = await batchOf(api, batchRef);
  assert.equal([status, counts.total, counts.processed], ['completed', 2, 2]);
});
