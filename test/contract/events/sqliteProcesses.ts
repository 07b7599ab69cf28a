import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { eventually, rounds, suite } from '../../harness.ts';
import { collect, newCategory, untilLive } from './controls.ts';
import type { Score, Task } from './process.ts';
import { sqlitePlace } from './sqlitePlace.ts';

type Report = Score | Readonly<{ done: Score }>;

const LIMIT_TOOL = 'prlimit';

/** Several real processes on one file, and one whose disk is full. */
export const severalProcesses = (): void => {
  const test = suite('events, sqlite: several processes');

  test(
    'processes that race for each revision of one stream: one winner each',
    async () => {
      const { path, connect, remove } = sqlitePlace();
      const count = rounds(80, 3_000);
      const stream = `${newCategory()}1`;
      const children = Array.from({ length: 3 }, () => start(path));
      await Promise.all(children.map(({ ready }) => ready));
      const scores = await Promise.all(children.map(({ work }) => work({ kind: 'race', stream, count })));
      const store = await connect();
      const read = await collect(store.read(stream));
      const followed = await untilLive(store, null, { prefixes: [stream] });
      await store.close();
      await remove();
      const sum = (pick: (score: Score) => number): number =>
        scores.reduce((all, score) => all + pick(score), 0);
      assert.is(
        sum(({ stored }) => stored),
        count,
      );
      assert.is(
        sum(({ refused }) => refused),
        2 * count,
      );
      assert.equal(
        read.map((event) => event.data.n),
        Array.from({ length: 2 * count }, (_, index) => (index + (index % 2)) / 2),
      );
      assert.equal(followed, read);
    },
    { timeoutMs: 120_000 },
  );

  test.long('a waiting follower wakes within 50 ms (median) of an append by another process', async () => {
    const { path, connect, remove } = sqlitePlace();
    const store = await connect();
    const stream = `${newCategory()}1`;
    const child = start(path);
    await child.ready;
    const stop = new AbortController();
    const delays: number[] = [];
    const follow = async (): Promise<void> => {
      for await (const { events } of store.follow(null, {
        prefixes: [stream],
        page: 10,
        signal: stop.signal,
      }))
        for (const event of events) delays.push(Date.now() - Number(event.data.at));
    };
    const following = follow();
    await child.work({ kind: 'mark', stream, count: 21 });
    await eventually('all events to arrive', () => delays.length === 21);
    stop.abort();
    await following;
    await store.close();
    await remove();
    const median = delays.sort((a, b) => a - b)[10];
    assert.ok(median !== undefined && median < 50, `median ${median} ms`);
  });

  const full = 'a full disk makes appends fail as StoreUnavailable, and they work again once there is room';
  if (spawnSync(LIMIT_TOOL, ['--version']).status !== 0)
    test.skip(full, `needs ${LIMIT_TOOL} (util-linux) to limit a process’s files`);
  else
    test(full, async () => {
      const { path, connect, remove } = sqlitePlace();
      const stream = `${newCategory()}1`;
      const child = start(path);
      await child.ready;
      child.limitFiles('1000000');
      let isFull = true;
      child.each((score) => {
        // Once: later scores say so too, and the last may come when the process has ended.
        if (!isFull || score.unavailable < 3) return;
        isFull = false;
        child.limitFiles('unlimited');
      });
      const score = await child.work({ kind: 'fill', stream, count: 30 });
      const store = await connect();
      const read = await collect(store.read(stream));
      await store.close();
      await remove();
      assert.ok(score.unavailable >= 3);
      assert.is(score.refused, 0);
      assert.is(read.length, 30, 'what was acknowledged is there, what failed is not');
    });
};

const start = (path: string) => {
  const child = fork(fileURLToPath(new URL('process.js', import.meta.url)), [path]);
  const ready = once(child, 'message');
  return {
    ready,
    each: (listener: (score: Score) => void): void =>
      void child.on('message', (report: Report) => 'done' in report || listener(report)),
    limitFiles: (bytes: string): void => {
      const { status, stderr } = spawnSync(LIMIT_TOOL, [
        '--pid',
        String(child.pid),
        `--fsize=${bytes}:unlimited`,
      ]);
      if (status !== 0) throw new Error(`${LIMIT_TOOL}: ${stderr}`);
    },
    work: (task: Task): Promise<Score> => work(child, task),
  };
};

const work = (child: ChildProcess, task: Task): Promise<Score> =>
  new Promise((resolve, reject) => {
    let score: Score | undefined;
    child.on('message', (report: Report) => {
      if ('done' in report) score = report.done;
    });
    child.on('error', reject);
    // Not at its exit: its last messages may come after that.
    child.on('close', (code, signal) =>
      score && code === 0 ? resolve(score) : reject(new Error(`the child ended with ${code ?? signal}`)),
    );
    child.send(task);
  });
