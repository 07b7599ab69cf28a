import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import type { Sort } from '../../../stores/documents/port.ts';
import { rounds, suite } from '../../harness.ts';
import { put } from '../documents/stage.ts';
import { inFolder } from './folder.ts';

const test = suite('documents in SQLite: several processes');

const start = (role: 'claim' | 'write' | 'flip', folder: string): ChildProcess =>
  fork(fileURLToPath(new URL('./process.js', import.meta.url)), [role, folder]);

test(
  'gives each document to exactly one of several processes',
  () =>
    inFolder(async (folder, store) => {
      const count = rounds(1_000, 10_000);
      const all = Array.from(
        { length: count },
        (_, n) => [`i${n}`, { lane: `l${n % 9}`, dueAt: '2020' }] as const,
      );
      await put(store, 'raced', Object.fromEntries(all));
      const claimers = Array.from({ length: 3 }, () => start('claim', folder));
      await Promise.all(claimers.map((child) => once(child, 'message')));
      const ends = claimers.map((child) => Promise.all([once(child, 'message'), once(child, 'exit')]));
      for (const child of claimers) child.send('go');
      const won = (await Promise.all(ends)).map(([[ids]]): string[] => ids);
      assert.is(won.flat().length, count);
      assert.is(new Set(won.flat()).size, count);
      assert.ok(won.filter((ids) => ids.length > 0).length > 1, 'only one process took part');
    }),
  { timeoutMs: 120_000 },
);

test(
  'keeps documents, checkpoint and rows together when its process is killed',
  () =>
    inFolder(async (folder, store) => {
      for (let round = 0; round < rounds(3, 50); round += 1) {
        const child = start('write', folder);
        let told = 0;
        child.on('message', (n) => {
          told = Number(n);
          if (told % 100 > 20 + Math.random() * 70) child.kill('SIGKILL');
        });
        await once(child, 'exit');
        const checkpoint = await store.models.checkpoint('written');
        for (const id of ['x', 'y']) {
          const stored = (await store.models.getMany<{ n: number }>('written', [id])).get(id);
          assert.is(stored?.position, checkpoint);
          assert.is(stored?.document?.n, Number(checkpoint));
        }
        assert.ok(Number(checkpoint) >= told, `${told} was told, ${checkpoint} is there`);
        assert.ok(
          await store.tables.read('written', String(told)),
          `the row ${told} was told and is not there`,
        );
        await store.leases.breakAll();
      }
    }),
  { timeoutMs: 120_000 },
);

test(
  'reads one moment, and never an older one, while an alias is flipped and what it left is dropped',
  () =>
    inFolder(async (folder, { models }) => {
      const child = start('flip', folder);
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
          await look(async () => (await models.getMany<{ n: number }>('flipped', ['x'])).get('x')?.document);
          await look(async () => {
            const query = { where: {}, sort, limit: 1, after: null };
            return (await models.page<{ n: number }>('flipped', query)).items[0];
          });
        }
        await setTimeout(0);
      }
      assert.equal(await exit, [0, null]);
      assert.is(last, 150);
    }),
  { timeoutMs: 60_000 },
);
