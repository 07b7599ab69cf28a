import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { roles } from '../../../cli/runtime.ts';
import { version } from '../../../kernel/version.ts';
import { serve } from '../../../runtime/serve.ts';
import { readConfig } from '../../../runtime/settings/config.ts';
import type { Core } from '../../../runtime/wire.ts';
import { NOT_MEASURED } from '../../../telemetry/figures.ts';
import { createNodes, type NodeRow } from '../../../telemetry/nodes.ts';
import { gate } from '../../controls/stores.ts';
import { eventually, suite } from '../../harness.ts';
import { type Client, receiptText } from '../../support/client.ts';
import { openCore } from '../../support/core.ts';
import { receiptDefinition } from '../../support/definition.ts';
import { isEmbedded } from '../../support/ownEngines.ts';
import { peopleOf } from '../../support/people.ts';
import { startService, type TestService, testSettings } from '../../support/service.ts';

const test = suite('how the service runs, over HTTP');
const OPERATIONS = '/api/v1/operations';
const held = gate();
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let core: Core;
let admin: Client;
test.before(async () => {
  const answer = async ({ path }: { path: string }) => {
    if (path === '/held') await held.opened;
    return { status: path === '/bad' ? 500 : 200 };
  };
  service = await startService({}, { answer });
  people = await peopleOf(service);
  core = await openCore(service.config);
  ({ api: admin } = await people.user());
});
test.after(async () => {
  held.open();
  await core.close();
  await people.close();
  await service.close();
});

const list = async (path: string) => {
  const { status, body, text } = await admin.get(`${OPERATIONS}/${path}`);
  assert.is(status, 200, text);
  return body.data;
};
type Named = Readonly<{ node: string; state: string; version: string }>;
const own = async (): Promise<string> =>
  (await list('nodes')).find((one: Named) => one.version === version).node;

/** What another process that lives elsewhere says of itself. */
const otherNode = async (members: Partial<NodeRow>) => {
  const at = new Date().toISOString();
  const row: NodeRow = {
    ...{
      node: 'elsewhere',
      roles: ['workers'],
      version: '0.0.1',
      startedAt: at,
      seenAt: at,
      stoppedAt: null,
    },
    ...{ minutes: [], parts: [], outages: [], ...members },
  };
  const { tables } = core.documents;
  await createNodes({ tables, clock: core.clock, own: async () => row }).beat(NOT_MEASURED);
};

test('queues show what waits, since when, and what is under way by whom [operations-19]', async () => {
  const { api } = await service.company();
  await api.process([receiptText()], { webhookUrl: `${service.receiver.url}/held` });
  const queue = async (name: string) =>
    (await list('queues')).find((one: { queue: string }) => one.queue === name);
  const deliveries = await eventually('the delivery is under way', async () => {
    const found = await queue('deliveries');
    return found.inProgress === 1 && found;
  });
  assert.equal([deliveries.items, deliveries.due], [1, 1]);
  assert.ok(Date.parse(deliveries.oldestDueAt) <= Date.now() && deliveries.oldestDueSeconds >= 0);
  const idle = { items: 0, due: 0, oldestDueAt: null, oldestDueSeconds: 0, inProgress: 0 };
  assert.equal(await queue('syncs'), { queue: 'syncs', ...idle });
  const [work, ...others] = await list('leases?queue=deliveries');
  assert.match(work.lease, /^deliveryQueue\/[0-9a-f-]{36}$/);
  assert.equal([work.owner, others], [await own(), []]);
  held.open();
  await eventually('the end', async () => (await queue('deliveries')).items === 0);
  const unknown = await admin.get(`${OPERATIONS}/leases?queue=nope`);
  assert.equal([unknown.status, unknown.body.errors[0].pointer], [400, '/query/queue']);
  assert.match(unknown.body.errors[0].detail, /processing, deliveries, syncs/);
});

test('leases show which process runs each loop, and until when [operations-19]', async () => {
  const node = await own();
  const expected = ['projections', 'reactor:requestDeliveries', 'sweep', 'tasks'];
  let asked = 0;
  const leases = await eventually('all loops run', async () => {
    asked = Date.now();
    const found = await list('leases');
    const names = found.map(({ lease }: { lease: string }) => lease);
    return expected.every((name) => names.includes(name)) && found;
  });
  const answered = Date.now();
  const names: readonly string[] = leases.map(({ lease }: { lease: string }) => lease);
  assert.equal(names, names.toSorted());
  assert.not.ok(
    names.some((name) => name.includes('/')),
    'work under way is listed by queue',
  );
  for (const { owner, until, remainingSeconds } of leases) {
    assert.is(owner, node);
    assert.ok(remainingSeconds > 0 && remainingSeconds <= 15, `${remainingSeconds}`);
    const at = Date.parse(until) - remainingSeconds * 1_000;
    // Both are rounded.
    assert.ok(at > asked - 1_000 && at < answered + 1_000, until);
  }
});

test('nodes show the processes with their roles and releases, and those that are silent or have stopped [operations-19]', async () => {
  const [self, ...none] = await list('nodes');
  assert.equal([none, self.state, self.roles, self.version], [[], 'running', roles, version]);
  assert.is(self.stoppedAt, null);
  const past = new Date(Date.now() - 60_000).toISOString();
  await otherNode({ node: 'crashed', startedAt: past, seenAt: past });
  await otherNode({ node: 'stopped', startedAt: past, seenAt: past, stoppedAt: past });
  await otherNode({ node: 'alive' });
  const nodes: readonly Named[] = await list('nodes');
  const states = new Map(nodes.map(({ node, state }) => [node, state]));
  assert.is(states.get('crashed'), 'silent');
  assert.is(states.get('stopped'), 'stopped');
  assert.equal([states.get('alive'), states.get(self.node)], ['running', 'running']);
});

if (isEmbedded)
  test('a process that was stopped in order says so, and what it counted still counts [operations-19, operations-21]', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'intake-node-'));
    const config = readConfig(testSettings(dataDir));
    const stopped = await serve(config, ['api', 'workers']);
    await fetch(`${stopped.url}/api/v1/companies`);
    await stopped.close();
    const beside = await openCore(config);
    const rows = await beside.documents.tables.list<NodeRow>('nodes');
    await beside.close();
    rmSync(dataDir, { recursive: true });
    const [row, ...others] = rows.map((one) => one.row);
    if (!row || others.length > 0) throw new Error(`${rows.length} rows`);
    const { roles, stoppedAt, seenAt, minutes } = row;
    assert.equal([roles, stoppedAt !== null && stoppedAt >= seenAt], [['api', 'workers'], true]);
    assert.is(
      minutes.reduce((sum, { requests }) => sum + requests, 0),
      1,
    );
  });

type Part = Readonly<{ available: boolean; readable: boolean; since: string | null; detail: string | null }>;

if (isEmbedded)
  test('parts show whether they can be used, and since when; outages are kept [operations-20]', async () => {
    const node = await own();
    const parts = async () => {
      const found = (await list('parts')).filter((one: { node: string }) => one.node === node);
      return new Map<string, Part>(
        found.map(({ node: _, part, ...rest }: { node: string; part: string }) => [part, rest]),
      );
    };
    const well = { available: true, readable: true, since: null, detail: null };
    const before = await parts();
    assert.equal([...before.keys()], ['start', 'events', 'documents', 'objects', 'projections']);
    assert.equal([...before.values()], [well, well, well, well, well]);
    const folder = join(service.dataDir, 'objects');
    renameSync(folder, `${folder}.away`);
    const began = Date.now();
    const away = await eventually('the outage', async () => {
      const found = (await parts()).get('objects');
      return found?.available === false ? found : null;
    }).finally(() => renameSync(`${folder}.away`, folder));
    assert.equal([away.readable, typeof away.detail], [false, 'string']);
    assert.not.match(String(away.detail), /\//, 'no path');
    assert.ok(Date.parse(String(away.since)) >= began);
    const back = await eventually('it is back', async () => {
      const found = (await parts()).get('objects');
      return found?.available === true ? found : null;
    });
    assert.ok(Date.parse(String(back.since)) >= Date.parse(String(away.since)));
    const [outage] = await list('outages');
    assert.equal(
      [outage.node, outage.part, outage.from, outage.until],
      [node, 'objects', away.since, back.since],
    );
  });

test('of other processes the parts are as they found them last, and their outages are listed too [operations-20]', async () => {
  const from = new Date(Date.now() + 60_000).toISOString();
  const part = { part: 'events', available: false, readable: true, since: from, detail: 'away' };
  const outage = { part: 'events', from, until: null, readable: true, detail: 'away' };
  await otherNode({ parts: [part], outages: [outage] });
  const parts = (await list('parts')).filter(({ node }: { node: string }) => node === 'elsewhere');
  assert.equal(parts, [{ node: 'elsewhere', ...part }]);
  assert.equal((await list('outages'))[0], { node: 'elsewhere', ...outage });
  await otherNode({ parts: [part], stoppedAt: from });
  assert.not.ok((await list('parts')).some(({ node }: { node: string }) => node === 'elsewhere'));
});

test('figures give each minute of the last hour, added up over all processes [operations-21]', async () => {
  const total = async (name: string) => {
    const { body } = await admin.get(`${OPERATIONS}/figures`);
    assert.is(body.minutes.length, 60);
    return body.minutes.reduce((sum: number, minute: Record<string, number>) => sum + (minute[name] ?? 0), 0);
  };
  const names = [
    'requests',
    'submissions',
    'processed',
    'decided',
    'deliveries',
    'failedDeliveries',
    'problems',
  ] as const;
  const totals = async () =>
    Object.fromEntries(await Promise.all(names.map(async (name) => [name, await total(name)])));
  const before = await totals();
  const { api } = await service.company({ ...receiptDefinition, processing: { review: 'always' } });
  await api.process([receiptText()], { webhookUrl: `${service.receiver.url}/bad` });
  const { submissionId } = await api.process([receiptText()], {
    webhookUrl: `${service.receiver.url}/good`,
  });
  await api.post(`/api/v1/submissions/${submissionId}/approve`, {});
  const after = await eventually('all attempts', async () => {
    const found = await totals();
    return (
      found.failedDeliveries === before.failedDeliveries + 4 && found.deliveries > before.deliveries && found
    );
  });
  const added = (name: (typeof names)[number]) => after[name] - before[name];
  assert.equal((['submissions', 'processed', 'decided', 'problems'] as const).map(added), [2, 2, 1, 0]);
  assert.ok(added('requests') >= 8, `${added('requests')}`);
  const { body } = await admin.get(`${OPERATIONS}/figures`);
  const now = body.minutes.at(-1);
  assert.ok(Math.abs(Date.parse(now.at) - Date.now()) <= 61_000);
  // The current minute may have begun just now, without a request yet.
  const { p50Seconds, p99Seconds } = body.minutes.findLast(
    (minute: { p50Seconds: number | null }) => minute.p50Seconds !== null,
  );
  assert.ok(p50Seconds > 0 && p99Seconds >= p50Seconds, `${p50Seconds} ${p99Seconds}`);
  const measured = body.minutes.filter(({ queues }: { queues: object | null }) => queues !== null);
  assert.type(measured.at(-1).lagSeconds, 'number');
  assert.equal(Object.keys(measured.at(-1).queues), [
    'processing',
    'deliveries',
    'syncs',
    'mails',
    'redactions',
    'subjectRedactions',
    'evaluations',
  ]);
  assert.is(body.minutes[0].requests, null, 'nobody ran then');
  // Half an hour ago: the oldest minute may be left out at the next reading.
  const { at } = body.minutes[30];
  const counted = {
    requests: 7,
    problems: 1,
    submissions: 2,
    processed: 3,
    decided: 1,
    deliveries: 4,
    failedDeliveries: 5,
  };
  const gauges = { lagSeconds: 1.5, queues: { syncs: 4 } };
  const durations = [...Array<number>(10).fill(0), 7, 7];
  await otherNode({ minutes: [{ at, ...counted, durations, ...gauges }], stoppedAt: now.at });
  const merged = (await admin.get(`${OPERATIONS}/figures`)).body;
  const first = merged.minutes.find((minute: { at: string }) => minute.at === at);
  const times = { p50Seconds: 7.5, p99Seconds: 9.95 };
  assert.equal(first, { at, ...counted, ...times, ...gauges });
  assert.is(merged.nodes, body.nodes + 1);
});

test('who watches the service is not counted, and neither are probes [operations-21]', async () => {
  const requests = async (): Promise<number> => {
    const { body } = await admin.get(`${OPERATIONS}/figures`);
    return body.minutes.reduce(
      (sum: number, minute: { requests: number | null }) => sum + (minute.requests ?? 0),
      0,
    );
  };
  const before = await requests();
  const lists = ['quarantined', 'parked', 'reactions', 'queues', 'leases', 'nodes', 'parts', 'outages'];
  for (const path of ['projections', 'tasks', ...lists]) await list(path);
  for (let n = 0; n < 20; n += 1) await fetch(`${service.url}/health/live`);
  assert.is(await requests(), before);
});
