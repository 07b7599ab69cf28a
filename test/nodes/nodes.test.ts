import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Core } from '../../runtime/wire.ts';
import { type Receiver, startReceiver } from '../../scripts/receiver.ts';
import { documentOf } from '../cli/run.ts';
import { eventually, rounds, suite } from '../harness.ts';
import { WAIT_MS } from '../runner/patience.ts';
import { client } from '../support/client.ts';
import { runIntake } from '../support/commandLine.ts';
import { openCoreOf } from '../support/core.ts';
import { receiptDefinition } from '../support/definition.ts';
import { testSettings } from '../support/service.ts';
import { everyDuplicateFound, nothingLeft, nothingLost, onceInTheLog, oneIdEach } from './afterwards.ts';
import { allLoopsRun, type Cluster, projectingNode, startCluster } from './cluster.ts';
import { type SharedEngines, sharedEngines } from './engines.ts';
import { createLoad, type Load } from './load.ts';
import { seeded } from './random.ts';

const test = suite('three nodes on shared engines');
/**
 * How often nodes are killed while the load goes on; beside these, the one that makes the read models is
 * killed and stays away.
 */
const KILLS = rounds(1, 20);
const CLIENTS = rounds(3, 6);
/** The longest that a loop stands still whose node has died; a short run waits for it alone. */
const TAKE_OVER_MS = rounds(WAIT_MS, 20_000);
const seed = Number(process.env.NODES_SEED ?? Date.now() % 1_000_000);
const random = seeded(seed);

/** Stands in the file's output, which is shown when a test fails. */
const say = (text: string): void =>
  void process.stderr.write(`${Math.round(performance.now() / 1_000)} s: ${text}\n`);

// Each role on two nodes at least, and clocks that differ: whoever is killed, the others go on.
const skew = new URL('./skewedClock.js', import.meta.url).href;
const plans = [
  { roles: 'api,projections,reactors,workers' },
  { roles: 'api,projections,workers', settings: { NODE_OPTIONS: `--import=${skew}`, CLOCK_SKEW_MS: '4000' } },
  { roles: 'api,reactors,workers', settings: { NODE_OPTIONS: `--import=${skew}`, CLOCK_SKEW_MS: '-3000' } },
];

const checkedDefinition = {
  ...receiptDefinition,
  slug: 'checked',
  processing: {
    ...receiptDefinition.processing,
    fraud: { checks: ['duplicate_data'], businessKey: ['company', 'date', 'total'] },
  },
};

type Company = Readonly<{ id: string; key: string }>;

const world = (open: () => Promise<SharedEngines>) => {
  let folder: string;
  let engines: SharedEngines;
  let receiver: Receiver;
  let settings: Readonly<Record<string, string>>;
  let company: Company;
  let cluster: Cluster;
  let core: Core;
  let load: Load;
  /** A command, again if an engine was too busy to answer it: it says so at once. */
  const intake = async <T>(...words: readonly string[]): Promise<T> => {
    const ended = await eventually(`an answer of ${words.join(' ')}`, async () => {
      const outcome = await runIntake(settings, ...words, '--json');
      return outcome.code === 0 || !outcome.stderr.includes('store-unavailable') ? outcome : null;
    });
    return documentOf<T>(ended);
  };
  const makeCompany = async (): Promise<Company> => {
    const { id } = await intake<{ id: string }>('company', 'create', '--name', 'ACME');
    for (const definition of [receiptDefinition, checkedDefinition]) {
      const file = join(folder, `${definition.slug}.json`);
      writeFileSync(file, JSON.stringify(definition));
      await intake('workflow', 'publish', file);
      await intake('workflow', 'assign', definition.slug, '--company', id);
    }
    return { id, key: (await makeKey(id)).key };
  };
  const makeKey = (companyId: string) =>
    intake<{ id: string; key: string }>('key', 'create', '--company', companyId);

  test.before(async () => {
    say(`NODES_SEED=${seed}`);
    folder = mkdtempSync(join(tmpdir(), 'intake-nodes-'));
    engines = await open();
    receiver = await startReceiver();
    const ca = join(folder, 'receiver.pem');
    writeFileSync(ca, receiver.ca);
    settings = testSettings(join(folder, 'nobody-makes-this'), {
      ...engines.settings,
      MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      LOG_LEVEL: 'info',
      WEBHOOK_CA: ca,
      BATCH_GRACE: '1s',
      SWEEP: '1s',
    });
    cluster = await startCluster(settings, plans);
    company = await makeCompany();
    core = await openCoreOf(settings);
    load = createLoad({ cluster, key: company.key, random, receiverUrl: receiver.url });
  });
  test.after(async () => {
    await core?.close();
    await cluster?.close();
    for (const trouble of cluster?.troubles ?? []) say(trouble);
    await receiver?.close();
    await engines?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const moreAcknowledged = async (count: number): Promise<void> => {
    const submitted = () => load.acknowledged.filter(({ isSubmitted }) => isSubmitted).length;
    const before = submitted();
    await eventually(`${count} more submissions`, () => submitted() >= before + count, 60_000);
  };
  /**
   * The one whose loops the others must take over: from its death on until the read models show what was
   * stored since.
   */
  const killTheProjecting = async (): Promise<void> => {
    const node = await projectingNode(cluster);
    await cluster.kill(node);
    const died = performance.now();
    const head = await core.log.head();
    assert.ok(head && (await core.progress.reached(head, TAKE_OVER_MS)), 'the read models stand still');
    say(`take-over from ${node.name}: ${Math.round(performance.now() - died)} ms`);
    await allLoopsRun(cluster);
    await cluster.start(node);
  };
  const killAny = async (): Promise<void> => {
    const node = random.pick(cluster.up());
    await (random.next() < 0.8 ? cluster.kill(node) : cluster.stop(node));
    await cluster.start(node);
  };

  test(
    'nodes are killed and started again under mixed load: nothing acknowledged is lost or doubled, nothing is left undone',
    async () => {
      let isStopped = false;
      say('the load begins');
      const running = load.run(CLIENTS, () => isStopped);
      const trouble = async (): Promise<void> => {
        await moreAcknowledged(3);
        for (let kill = 0; kill < KILLS; kill += 1) {
          if (kill % 10 === 0) await killTheProjecting();
          await moreAcknowledged(3);
          await killAny();
          await moreAcknowledged(3);
        }
      };
      await Promise.race([trouble(), running]).finally(() => {
        isStopped = true;
      });
      await running;
      say('the load has ended');
      await nothingLost(load);
      await everyDuplicateFound(load);
      await nothingLeft(load, cluster);
      oneIdEach(load, receiver);
      await onceInTheLog(core);
      say(
        `${load.acknowledged.length} sessions, ${load.seen.reads} reads elsewhere, ${load.seen.askedAgain} asked again`,
      );
    },
    { timeoutMs: 120_000 + KILLS * 60_000 },
  );

  test(
    'what a node has acknowledged all others show at once',
    async () => {
      for (const node of cluster.nodes) {
        const others = cluster.nodes.filter((one) => one !== node);
        await eventually(`an answer of ${node.name} that was not held in vain`, () =>
          load.seenEverywhere(node, others),
        );
      }
    },
    { timeoutMs: 60_000 },
  );

  test(
    'a key that is revoked by one is refused by all',
    async () => {
      const { id, key } = await makeKey(company.id);
      const statuses = () =>
        Promise.all(
          cluster.up().map(async ({ url }) => (await client(url, key).get('/api/v1/companies')).status),
        );
      assert.equal(await statuses(), [200, 200, 200]);
      await intake('key', 'revoke', id);
      await eventually('every node refuses it', async () => (await statuses()).every((one) => one === 403));
    },
    { timeoutMs: 60_000 },
  );
};

const engines = sharedEngines();
if (typeof engines === 'string') test.skip('all of it', engines);
else world(engines);
