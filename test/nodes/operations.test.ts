import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { readConfig } from '../../runtime/settings/config.ts';
import type { Core } from '../../runtime/wire.ts';
import { eventually, suite } from '../harness.ts';
import { type Client, client, receiptText } from '../support/client.ts';
import { openCoreOf } from '../support/core.ts';
import { peopleOf } from '../support/people.ts';
import { testSettings } from '../support/service.ts';
import { createTenant } from '../support/tenant.ts';
import { allLoopsRun, type Cluster, startCluster } from './cluster.ts';
import { type SharedEngines, sharedEngines } from './engines.ts';

const test = suite('the operations of several nodes');
const OPERATIONS = '/api/v1/operations';

/** One answers; either of the others may do what it is asked for. */
const plans = [
  { roles: 'api' },
  { roles: 'projections,reactors,workers' },
  { roles: 'projections,reactors' },
] as const;

const world = (open: () => Promise<SharedEngines>) => {
  let folder: string;
  let engines: SharedEngines;
  let cluster: Cluster;
  let core: Core;
  let people: Awaited<ReturnType<typeof peopleOf>>;
  let admin: Client;
  let api: Client;

  test.before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'intake-operations-'));
    engines = await open();
    const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
    const settings = testSettings(join(folder, 'nobody-makes-this'), {
      ...{ ...engines.settings, MASTER_KEY, LOG_LEVEL: 'info' },
    });
    cluster = await startCluster(settings, plans);
    core = await openCoreOf(settings);
    const url = cluster.nodes[0]?.url ?? '';
    const tenant = await createTenant(settings);
    api = client(url, tenant.key);
    people = await peopleOf({ url, config: readConfig(settings) });
    ({ api: admin } = await people.user());
    await allLoopsRun(cluster);
  });
  test.after(async () => {
    await people?.close();
    await core?.close();
    await cluster?.close();
    await engines?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const get = async (path: string) => {
    const { status, body, text } = await admin.get(`${OPERATIONS}/${path}`);
    assert.is(status, 200, text);
    return body;
  };
  type Named = Readonly<{ node: string; roles: readonly string[]; state: string }>;
  const nodes = async (): Promise<readonly Named[]> => (await get('nodes')).data;
  const rolesOf = async (node: string) => (await nodes()).find((one) => one.node === node)?.roles.join();

  test('each shows all of them, who holds which lease, and what all have counted [operations-19, operations-21]', async () => {
    await api.process([receiptText()]);
    const seen = await eventually('all nodes', async () => {
      const found = await nodes();
      return found.length === plans.length ? found : null;
    });
    assert.equal(
      seen.map(({ roles }) => roles.join()).toSorted(),
      plans.map(({ roles }) => roles).toSorted(),
    );
    for (const { lease, owner } of (await get('leases')).data)
      assert.match((await rolesOf(owner)) ?? '', lease === 'tasks' ? /projections/ : /,/, lease);
    type Minute = Readonly<{ processed: number | null; requests: number | null }>;
    await eventually('the submission, which another node has processed', async () => {
      const { minutes, nodes: counting } = await get('figures');
      const processed = minutes.reduce((sum: number, one: Minute) => sum + (one.processed ?? 0), 0);
      return counting === 3 && processed === 1;
    });
  });

  test(
    'a rebuild that is asked for by one node is done by another, and continued by a third when that one dies [operations-17]',
    async () => {
      const { leases } = core.documents;
      const fence = await eventually('no other rebuild', () => leases.acquire('rebuild', 'test', 120_000));
      const asked = await admin.post(`${OPERATIONS}/projections/rebuild`, { projections: ['submissions'] });
      assert.is(asked.status, 202, asked.text);
      const task = () => get(`tasks/${asked.body.taskId}`);
      const { node: first } = await eventually('a node takes it', async () => {
        const found = await task();
        return found.progress?.step === 'waiting' && found.node !== null ? found : null;
      });
      const roles = await rolesOf(first);
      const dying = cluster.nodes[plans.findIndex((plan) => plan.roles === roles)];
      assert.ok(dying && roles !== 'api', `${roles}`);
      await cluster.kill(dying);
      const second = await eventually(
        'another one continues it',
        async () => {
          const { node } = await task();
          return node !== first ? node : null;
        },
        60_000,
      );
      assert.match((await rolesOf(second)) ?? '', /projections/);
      await leases.release(fence);
      const done = await eventually(
        'the end',
        async () => {
          const found = await task();
          return found.endedAt === null ? null : found;
        },
        60_000,
      );
      assert.equal([done.state, done.node, done.compared[0].differing], ['done', second, 0]);
      await eventually(
        'the dead one is silent',
        async () => (await nodes()).find(({ node }) => node === first)?.state === 'silent',
        60_000,
      );
    },
    { timeoutMs: 240_000 },
  );
};

const engines = sharedEngines();
if (typeof engines === 'string') test.skip('all of it', engines);
else world(engines);
