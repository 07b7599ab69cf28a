import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import type { Sort } from '../../../stores/documents/port.ts';
import { rounds } from '../../harness.ts';
import { type Declare, fresh, put } from './stage.ts';

const start = (
  role: 'claim' | 'write' | 'flip',
  elsewhere: readonly string[],
  ...more: string[]
): ChildProcess =>
  fork(fileURLToPath(new URL('./process.js', import.meta.url)), [role, ...elsewhere, ...more]);

export const processTests: Declare = (test, stage) => {
  test(
    'gives each document to exactly one of several processes',
    async () => {
      const { one, elsewhere } = stage();
      const claimers = Array.from({ length: 3 }, () => start('claim', elsewhere));
      const said = (): Promise<(readonly string[])[]> =>
        Promise.all(claimers.map(async (child) => (await once(child, 'message'))[0]));
      await said();
      const partners: number[] = [];
      for (let round = 0; round < rounds(3, 100); round += 1) {
        const name = fresh('raced');
        const all = Array.from(
          { length: 100 },
          (_, n) => [`i${n}`, { lane: `l${n % 9}`, dueAt: '2020' }] as const,
        );
        await put(one, name, Object.fromEntries(all));
        for (const child of claimers) child.send(name);
        const won = await said();
        assert.is(won.flat().length, 100);
        assert.is(new Set(won.flat()).size, 100);
        partners.push(won.filter((ids) => ids.length > 0).length);
      }
      assert.ok(Math.max(...partners) > 1, 'only one process took part');
      const ends = claimers.map((child) => once(child, 'exit'));
      for (const child of claimers) child.send('');
      await Promise.all(ends);
    },
    { timeoutMs: 300_000 },
  );

  test(
    'keeps documents, checkpoint and rows together when its process is killed',
    async () => {
      const { one: store, elsewhere } = stage();
      for (let round = 0; round < rounds(3, 50); round += 1) {
        const child = start('write', elsewhere);
        let told = 0;
        child.on('message', (n) => {
          told = Number(n);
          if (told % 100 > 20 + Math.random() * 70) child.kill('SIGKILL');
        });
        await once(child, 'exit');
        const checkpoint = await store.models.checkpoint('written');
        for (const id of ['x', 'y']) {
          const stored = (await store.models.stored<{ n: number }>('written', [id])).get(id);
          // A crash leaves documents ahead of their checkpoint, never behind it.
          assert.ok((stored?.position ?? '') >= (checkpoint ?? ''));
          assert.is(stored?.document?.n, Number(stored?.position));
        }
        assert.ok(Number(checkpoint) >= told, `${told} was told, ${checkpoint} is there`);
        assert.ok(
          await store.tables.read('written', String(told)),
          `the row ${told} was told and is not there`,
        );
        await store.leases.breakAll();
      }
    },
    { timeoutMs: 120_000 },
  );

  test(
    'reads one moment, and never an older one, while an alias is flipped and what it left is dropped',
    async () => {
      const { one, elsewhere } = stage();
      const { models } = one;
      const flips = rounds(60, 500);
      const child = start('flip', elsewhere, String(flips));
      const exit = once(child, 'exit');
      await once(child, 'message');
      const sort: Sort = [{ path: 'id', direction: 'ascending' }];
      let ended = false;
      let last = 0;
      child.once('exit', () => {
        ended = true;
      });
      const look = async (read: () => Promise<{ n: number } | null | undefined>): Promise<void> => {
        const n = (await read())?.n ?? 0;
        assert.ok(n >= last, `${n} after ${last}`);
        last = n;
      };
      while (!ended) {
        for (let n = 0; n < 20; n += 1) {
          await look(() => models.get('flipped', 'x'));
          await look(async () => (await models.getMany<{ n: number }>('flipped', ['x'])).get('x'));
          await look(async () => {
            const query = { where: {}, sort, limit: 1, after: null };
            return (await models.page<{ n: number }>('flipped', query)).items[0];
          });
        }
        await setTimeout(0);
      }
      assert.equal(await exit, [0, null]);
      assert.is(last, flips);
    },
    { timeoutMs: 60_000 },
  );
};
