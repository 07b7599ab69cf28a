import * as assert from 'uvu/assert';
import { QUARANTINE } from '../../../projections/engine/quarantine.ts';
import type { ProjectionStatus } from '../../../projections/engine/status.ts';
import { feed } from '../../../projections/feed.ts';
import type { Core } from '../../../runtime/wire.ts';
import { eventually, suite } from '../../harness.ts';
import { type Client, receiptText } from '../../support/client.ts';
import { openCore } from '../../support/core.ts';
import { peopleOf } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';

const test = suite('read models over HTTP');
const PROJECTIONS = '/api/v1/operations/projections';
const REBUILD = `${PROJECTIONS}/rebuild`;
const TASKS = '/api/v1/operations/tasks';
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let core: Core;
let admin: Client;
let userId: string;
let api: Client;
test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
  core = await openCore(service.config);
  ({ api: admin, userId } = await people.user());
  ({ api } = await service.company());
  await api.process([receiptText()]);
});
test.after(async () => {
  await core.close();
  await people.close();
  await service.close();
});

const ended = (taskId: string) =>
  eventually(`the end of ${taskId}`, async () => {
    const { body } = await admin.get(`${TASKS}/${taskId}`);
    return body.endedAt !== null && body;
  });
const readModel = async (name: string) => {
  const { body } = await admin.get(PROJECTIONS);
  return body.data.find((one: { name: string }) => one.name === name);
};
/** Does `body` while another process holds the lease of rebuilds. */
const whileRebuilding = async (body: () => Promise<void>): Promise<void> => {
  const { leases } = core.documents;
  const fence = await leases.acquire('rebuild', 'the command line', 120_000);
  assert.ok(fence, 'another rebuild runs');
  await body().finally(() => fence && leases.release(fence));
};

test('they are for super_admins alone, as all of the operations are [operations-15]', async () => {
  const company = await service.company();
  const roles = ['org_admin', 'reviewer', 'auditor'] as const;
  const others = await Promise.all(roles.map((role) => people.user(company.id, role)));
  const paths = ['projections', 'tasks', 'quarantined', 'parked', 'reactions', 'queues', 'leases', 'nodes'];
  for (const path of [...paths, 'parts', 'outages', 'figures', 'failing-receivers']) {
    for (const other of others) {
      const { status, body } = await other.api.get(`/api/v1/operations/${path}`);
      assert.equal([status, body.code], [403, 'role-required'], path);
    }
    assert.is((await company.api.get(`/api/v1/operations/${path}`)).status, 401, path);
    assert.is((await admin.get(`/api/v1/operations/${path}`)).status, 200, path);
  }
  for (const { api: other } of others)
    assert.is((await other.post(REBUILD, { projections: ['submissions'] })).status, 403);
});

test('they are listed as the command line does [operations-16]', async () => {
  type Told = Readonly<{ data: readonly ProjectionStatus[] }>;
  const { body } = await eventually('all is shown', async () => {
    const reply = await admin.get(PROJECTIONS);
    return reply.body.data.every((one: ProjectionStatus) => one.lag.events === 0) && reply;
  });
  const { data: told } = await service.intake<Told>('projections', 'status');
  const shown = told.map(({ name, version, state, serves, position, lag, rebuilding }) => ({
    ...{ name, version, state, serves, position, lag, rebuilding },
  }));
  assert.equal(
    body.data.map(({ rate: _, quarantined: __, ...rest }: ProjectionStatus) => rest),
    shown.map(({ name, version, state, serves, position, lag, rebuilding }) => ({
      ...{ name, state, version, serves, position, lag, rebuilding },
    })),
  );
  for (const { rate, quarantined } of body.data) assert.equal([rate >= 0, quarantined], [true, 0]);
});

test('rates are measured since the call before: the first one takes a second, later ones do not [operations-16]', async () => {
  await admin.get(PROJECTIONS);
  for (let n = 0; n < 5; n += 1) await api.open([]);
  const seen = await eventually('its rate', async () => {
    const { rate } = await readModel('submissions');
    return rate > 0 && rate;
  });
  assert.ok(seen < 10_000, `${seen}`);
});

test('a rebuild is done beside the service, which answers; the task shows how it went [operations-17]', async () => {
  const before = await readModel('submissions');
  const asked = await admin.post(REBUILD, { projections: ['submissions', 'batches'] });
  assert.is(asked.status, 202, asked.text);
  const { taskId, kind, state, requestedBy, projections, anew } = asked.body;
  assert.equal([kind, state, requestedBy, anew], ['rebuild', 'waiting', userId, false]);
  assert.equal(projections, ['submissions', 'batches']);
  assert.is((await api.get('/api/v1/submissions')).status, 200);
  const task = await ended(taskId);
  assert.equal(
    [task.state, task.error, task.progress.step, task.progress.share],
    ['done', null, 'dropping', 1],
  );
  assert.ok(task.progress.events >= 3 && task.progress.total >= task.progress.events);
  const [submissions] = task.compared;
  assert.equal([submissions.projection, submissions.differing], ['submissions', 0]);
  assert.is(submissions.before, submissions.after);
  assert.equal(
    task.compared.map(({ projection }: { projection: string }) => projection),
    projections,
  );
  const { data: nodes } = (await admin.get('/api/v1/operations/nodes')).body;
  assert.is(task.node, nodes[0].node);
  const after = await readModel('submissions');
  assert.not.equal(after.serves.collection, before.serves.collection);
  assert.equal([after.state, after.rebuilding], ['live', null]);
  assert.is((await admin.get(TASKS)).body.data[0].taskId, taskId);
  const late = await admin.post(`${TASKS}/${taskId}/cancel`);
  assert.equal([late.status, late.body.code], [409, 'task-ended']);
});

test('one read model is rebuilt once at a time; what waits can be cancelled [operations-17]', () =>
  whileRebuilding(async () => {
    const { taskId } = (await admin.post(REBUILD, { projections: ['feed', 'users'], anew: true })).body;
    await eventually('it waits', async () => {
      const { body } = await admin.get(`${TASKS}/${taskId}`);
      return body.progress?.step === 'waiting' && body.state === 'running';
    });
    for (const [path, body] of [
      [REBUILD, { projections: ['companies', 'users'] }],
      [`${PROJECTIONS}/feed/retry`, {}],
    ] as const) {
      const refused = await admin.post(path, body);
      assert.equal([refused.status, refused.body.code], [409, 'task-under-way']);
      assert.ok(refused.body.detail.includes(taskId));
    }
    const other = await admin.post(REBUILD, { projections: ['companies'] });
    assert.is(other.status, 202);
    const cancelled = await admin.post(`${TASKS}/${other.body.taskId}/cancel`);
    assert.equal([cancelled.status, cancelled.body.state], [200, 'cancelled']);
    assert.is((await admin.post(`${TASKS}/${other.body.taskId}/cancel`)).status, 200, 'as it is');
    const cancelling = await admin.post(`${TASKS}/${taskId}/cancel`);
    assert.equal([cancelling.status, cancelling.body.cancelling], [200, true]);
    assert.equal((await ended(taskId)).state, 'cancelled');
    assert.is((await readModel('feed')).serves.collection, `feed_v${feed.version}`);
  }));

test('sent again with its Idempotency-Key a rebuild is the same one [operations-17]', async () => {
  const send = () =>
    admin.post(REBUILD, { projections: ['apiKeys'] }, { headers: { 'idempotency-key': 'rebuild-1' } });
  const [first, again] = [await send(), await send()];
  assert.equal([again.status, again.body.taskId], [202, first.body.taskId]);
  assert.is(again.headers.get('idempotency-replayed'), 'true');
  assert.is((await ended(first.body.taskId)).state, 'done');
});

test('a body that is not valid is a 422 that names the member, and begins nothing [operations-17]', async () => {
  const before = (await admin.get(TASKS)).body.data.length;
  for (const [body, pointer] of [
    [{ projections: ['submissions', 'nope'] }, '/projections/1'],
    [{ projections: ['submissions', 'submissions'] }, '/projections'],
    [{ projections: [] }, '/projections'],
    [{ projections: 'submissions' }, '/projections'],
    [{}, '/projections'],
    [{ projections: ['submissions'], anew: 'yes' }, '/anew'],
    [{ projections: ['submissions'], all: true }, '/all'],
  ] as const) {
    const { status, body: problem, text } = await admin.post(REBUILD, body);
    assert.equal([status, problem.errors?.[0]?.pointer], [422, pointer], text);
  }
  const retry = await admin.post(`${PROJECTIONS}/submissions/retry`, { document: 'sub_nothing' });
  assert.equal([retry.status, retry.body.errors[0].pointer], [422, '/document']);
  assert.is((await admin.post(`${PROJECTIONS}/nope/retry`)).status, 404);
  for (const id of ['tsk_01hv6x3m8q2r5t7w9y0a1b2c3d', 'nope']) {
    assert.is((await admin.get(`${TASKS}/${id}`)).status, 404);
    assert.is((await admin.post(`${TASKS}/${id}/cancel`)).status, 404);
  }
  assert.is((await admin.get(TASKS)).body.data.length, before);
});

test('quarantined documents are listed with their reasons, without what is private, and retried [operations-15, operations-18]', async () => {
  const keys = [1, 2, 3].map((n) => `sub_01hv6x3m8q2r5t7w9y0a1b2c${n}d`);
  const { collection } = (await readModel('submissions')).serves;
  const row = {
    ...{ projection: 'submissions', collection, eventId: core.ids.event(), after: null },
    ...{ position: (await core.log.head()) ?? '', error: 'Error: "Ann Doe" of ann@example.com is no total' },
  };
  for (const key of keys)
    await core.documents.tables.insert(QUARANTINE, `${collection}/${key}`, { ...row, key });
  const list = async (query: string) => (await admin.get(`/api/v1/operations/quarantined${query}`)).body;
  const all = await list('');
  assert.equal(all.data[0], {
    ...{ projection: 'submissions', collection, document: keys[0], eventId: row.eventId },
    ...{ position: row.position, reason: 'Error: "[redacted]" of [redacted] is no total' },
  });
  const documents = ({ data }: { data: { document: string }[] }) => data.map(({ document }) => document);
  const first = await list('?projection=submissions&limit=2');
  assert.equal([documents(first), first.pagination.hasMore], [keys.slice(0, 2), true]);
  const cursor = encodeURIComponent(first.pagination.nextCursor);
  assert.equal(documents(await list(`?projection=submissions&limit=2&cursor=${cursor}`)), keys.slice(2));
  assert.equal(documents(await list('?projection=batches')), []);
  const other = await admin.get(`/api/v1/operations/quarantined?projection=batches&cursor=${cursor}`);
  assert.equal([other.status, other.body.errors[0].pointer], [400, '/query/cursor']);
  assert.is((await readModel('submissions')).quarantined, 3);
  const one = await admin.post(`${PROJECTIONS}/submissions/retry`, { document: keys[1] });
  assert.equal([one.status, one.body.kind, one.body.document], [202, 'retry', keys[1]]);
  const retried = await ended(one.body.taskId);
  assert.equal([retried.state, retried.retried], ['done', { released: 1, held: 0 }]);
  assert.equal(documents(await list('')), [keys[0], keys[2]]);
  const rest = await admin.post(`${PROJECTIONS}/submissions/retry`);
  assert.equal((await ended(rest.body.taskId)).retried, { released: 2, held: 0 });
  assert.equal((await list('')).data, []);
});
