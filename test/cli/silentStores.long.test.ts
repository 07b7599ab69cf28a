import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { certificateFor } from '../../scripts/certificate.ts';
import { eventually, long, rounds, suite } from '../harness.ts';
import { startStandIn } from '../standIn/standIn.ts';
import { listenSilently, openBlackHole, type Silent } from '../support/silent.ts';
import { type Ended, type Running, start } from './run.ts';

const test = suite('the command line: beside stores that never answer [operations-1]');

const ANSWERED_MS = 2_000;
const STOPPED_MS = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'intake-silent-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

const settingsFor = (name: string, more: Readonly<Record<string, string>>) => ({
  DATA_DIR: join(folder, name),
  MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
  PORT: '0',
  STORAGE_PORT: '0',
  LOG_LEVEL: 'warn',
  ...more,
});

/** How a command ended, and how long after it had said something. */
const timed = async (running: Running, answer: string): Promise<Ended & Readonly<{ lingeredMs: number }>> => {
  // How soon it answers depends on what else the machine does: only what follows is limited.
  await eventually(answer, () => (running.stdout() + running.stderr()).includes(answer), 60_000);
  const said = performance.now();
  const giveUp = setTimeout(() => running.child.kill('SIGKILL'), 20_000);
  const ended = await running.ended;
  clearTimeout(giveUp);
  return { ...ended, lingeredMs: performance.now() - said };
};

const WRITES = ['company', 'create', '--name', 'ACME'];
const READS = ['company', 'list'];

for (const [what, open, commands] of [
  ['is frozen', listenSilently, [WRITES, READS]],
  ['drops packets', openBlackHole, [WRITES, READS].slice(0, rounds(1, 2))],
] as const)
  test(
    `a command ends when it has answered, though a node of the event store ${what}`,
    async () => {
      const standIn = await startStandIn({ tls: await certificateFor('localhost') });
      const silent = await open();
      const nodes = `localhost:${standIn.port},127.0.0.1:${standIn.port},127.0.0.1:${silent.port}`;
      const settings = settingsFor(`commands-${silent.port}`, {
        EVENTSTOREDB_URL: `esdb://${nodes}?tlsVerifyCert=false`,
      });
      try {
        for (const words of commands) {
          const { code, lingeredMs } = await timed(start(settings, ...words), 'cmp_');
          assert.is(code, 0);
          assert.ok(lingeredMs < ANSWERED_MS, `${words.join(' ')} ended ${lingeredMs} ms after its answer`);
        }
      } finally {
        await Promise.all([standIn.stop(), silent.close()]);
      }
    },
    { timeoutMs: 150_000 },
  );

/** Settings that name a silent server in the place of each store. */
const stores: Readonly<Record<string, (port: number) => Readonly<Record<string, string>>>> = {
  log: (port) => ({ EVENTSTOREDB_URL: `esdb://127.0.0.1:${port}?tlsVerifyCert=false` }),
  documents: (port) => ({ MONGODB_URL: `mongodb://127.0.0.1:${port}/intake?replicaSet=rs0` }),
  files: (port) => ({
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: 'intake',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  }),
};

test(
  'a command that a silent store keeps from its work says so, and ends',
  async () => {
    const silent = await listenSilently();
    const running = ['log', 'documents'].map((name) =>
      timed(
        start(
          settingsFor(`failing-${name}`, stores[name]?.(silent.port) ?? {}),
          ...['company', 'create', '--name', 'ACME'],
        ),
        `127.0.0.1:${silent.port}`,
      ),
    );
    for (const { code, lingeredMs } of await Promise.all(running)) {
      assert.is(code, 1);
      assert.ok(lingeredMs < ANSWERED_MS, `it ended ${lingeredMs} ms after it said so`);
    }
    await silent.close();
  },
  { timeoutMs: 90_000 },
);

/** Ends `serve` by SIGTERM, and sees how. */
const stop = async (name: string, { child, ended }: Running): Promise<void> => {
  const asked = performance.now();
  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  assert.is(code, 0, stderr);
  const tookMs = performance.now() - asked;
  assert.ok(tookMs < STOPPED_MS, `${name}: ${tookMs} ms`);
};

type Body = (name: string, silent: Silent, running: Running) => Promise<void>;

/** Starts `serve` beside each store that is silent, all at once. */
const beside = async (body: Body): Promise<void> => {
  const ended = Object.entries(stores).map(async ([name, settings]) => {
    const silent = await listenSilently();
    const running = start(settingsFor(`serve-${name}`, settings(silent.port)), 'serve', '--json');
    try {
      await body(name, silent, running);
    } finally {
      running.child.kill('SIGKILL');
      await silent.close();
    }
  });
  await Promise.all(ended);
};

test('serve ends within ten seconds beside a silent store', () =>
  beside(async (name, silent, running) => {
    await eventually('it waits for the store', () => silent.made() > 0);
    await stop(name, running);
  }));

if (long)
  test(
    'serve does not pile up connections to a silent store',
    () =>
      beside(async (name, silent, running) => {
        await eventually('it listens', () => running.stdout().includes('\n'));
        const [early, late] = [await mostOpen(silent, 10_000), await mostOpen(silent, 50_000)];
        // A connection that is given up may be closed a moment after the next one is opened.
        assert.ok(late <= early + 1, `${name}: ${early} connections at first, ${late} later`);
        await stop(name, running);
      }),
    { timeoutMs: 120_000 },
  );

/** The most connections that are open at once within a time. */
const mostOpen = async (silent: Silent, withinMs: number): Promise<number> => {
  let most = 0;
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    most = Math.max(most, silent.open());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return most;
};
