import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { subjectKeys } from '../../stores/events/subjectKeys.ts';
import { generationOf } from '../../stores/keyring/keyring.ts';
import { eventually, rounds, suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { openCoreOf } from '../support/core.ts';
import { intake } from '../support/process.ts';
import { openWorld, type World } from '../support/world.ts';

const test = suite('kill -9 within a rotation of the sealing keys, under load [sealing-3]');
const KILLS = rounds(2, 20);
const CLIENTS = rounds(2, 6);
const PLANTED = 5_000;

const opened = new Map<string, string>();
let world: World;
let planted: ReadonlyMap<string, Uint8Array>;

test.before(async () => {
  world = await openWorld();
  planted = await withKeys(async (keys) => {
    const subjects = Array.from({ length: PLANTED }, (_, n) => `sub_planted${n}`);
    await Promise.all(subjects.map((subject) => keys.obtain(subject, true)));
    return keys.find(subjects);
  });
  await world.start();
});
test.after(() => world.close());

const inCore = async <T>(run: (core: Awaited<ReturnType<typeof openCoreOf>>) => Promise<T>): Promise<T> => {
  const core = await openCoreOf(world.settings);
  return run(core).finally(core.close);
};

const withKeys = <T>(run: (keys: ReturnType<typeof subjectKeys>) => Promise<T>): Promise<T> =>
  inCore(({ documents: { tables }, keyring }) => run(subjectKeys({ tables, keyring })));

/** How many sealing keys are under each generation. */
const generations = (): Promise<ReadonlyMap<number, number>> =>
  inCore(async ({ documents: { tables } }) => {
    const counts = new Map<number, number>();
    for (const { row } of await tables.list<{ wrapped: string }>('subjectKeys')) {
      const generation = generationOf(row.wrapped);
      counts.set(generation, (counts.get(generation) ?? 0) + 1);
    }
    return counts;
  });

/** Opens sessions with private members of their own, again and again. */
const load = async (stopped: () => boolean): Promise<void> => {
  while (!stopped()) {
    const clientSubmissionId = `order-${opened.size}-${Math.random()}`;
    try {
      const session = await world.api.open([receiptText()], { clientSubmissionId });
      opened.set(session.sessionId, clientSubmissionId);
    } catch (error) {
      // Only the network may fail: a wrong answer is a defect.
      if (!(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
};

const startRotation = (): ChildProcess =>
  spawn(process.execPath, [...process.execArgv, intake, 'keys', 'rotate', '--json'], {
    env: { PATH: process.env.PATH, ...world.settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** The newest generation, and how many keys are under it. */
const newest = async (): Promise<readonly [generation: number, keys: number]> =>
  [...(await generations())].sort(([a], [b]) => b - a)[0] ?? [0, 0];

/** Rotates, and kills the rotation and the server when more keys are under a new generation. */
const killWithin = async (): Promise<void> => {
  const [generation, keys] = await newest();
  const rotation = startRotation();
  const ended = once(rotation, 'exit');
  const hasBegun = async (): Promise<boolean> => {
    const [now, count] = await newest();
    return now > generation || (generation > 1 && count > keys + CLIENTS * 50);
  };
  await eventually('keys to be sealed anew', hasBegun, 30_000);
  rotation.kill('SIGKILL');
  await ended;
  await world.restart();
};

test(
  `${KILLS} kills: everything opens`,
  async () => {
    const masterKey = readFileSync(join(world.dataDir, 'master.key'), 'utf8');
    let done = false;
    const clients = Array.from({ length: CLIENTS }, () => load(() => done));
    for (let kill = 0; kill < KILLS; kill += 1) await killWithin();
    const before = opened.size;
    const rotation = startRotation();
    const [code] = await once(rotation, 'exit');
    assert.is(code, 0);
    await eventually('sessions under the new generation', () => opened.size > before + 5);
    done = true;
    await Promise.all(clients);
    const counts = await generations();
    assert.equal([...counts.keys()].length, 1, 'every key is under the newest generation');
    assert.is.not(readFileSync(join(world.dataDir, 'master.key'), 'utf8'), masterKey);
    assert.not.ok(existsSync(join(world.dataDir, 'master.key.next')));
    await world.restart();
    await withKeys(async (keys) => assert.equal(await keys.find(planted.keys()), planted));
    for (const [sessionId, clientSubmissionId] of opened) {
      const { status, body } = await world.api.job({ sessionId });
      assert.equal([status, body?.clientSubmissionId], [200, clientSubmissionId]);
    }
    const log = world
      .server()
      .log()
      .filter(({ level }) => level >= 50);
    assert.equal(log, []);
  },
  { timeoutMs: KILLS * 30_000 + 90_000 },
);
