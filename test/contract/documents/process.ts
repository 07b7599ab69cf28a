import { once } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { systemClock } from '../../../kernel/clock.ts';
import { mongoDocumentStore } from '../../../stores/documents/mongodb.ts';
import type { DocumentStore } from '../../../stores/documents/port.ts';
import { sqliteDocumentStore } from '../../../stores/documents/sqlite.ts';
import { position, write } from './stage.ts';

// A process of its own for processes.ts. Argument 1: what to do; 2 and 3: the driver, and where its data is.
const [, , role = '', driver = '', place = '', many = ''] = process.argv;

const open: Readonly<Record<string, () => DocumentStore>> = {
  sqlite: () => sqliteDocumentStore({ folder: place, clock: systemClock }),
  mongodb: () => mongoDocumentStore({ url: place }),
};
const store = open[driver]?.();
if (!store) throw new Error(`no driver is called ${driver}`);

/** Told the name of a queue, claims until nothing is left in it, and tells what it got; told none, ends. */
const claimAll = async (): Promise<void> => {
  process.send?.('ready');
  for (;;) {
    const [collection] = (await once(process, 'message')) as [string];
    if (collection === '') return;
    process.send?.(await claimed(collection));
  }
};

const claimed = async (collection: string): Promise<readonly string[]> => {
  const owner = `process ${process.pid}`;
  const terms = { collection, owner, leaseMs: 600_000, limit: 5, perLane: 5, skip: [] };
  const won: string[] = [];
  for (;;) {
    const claimed = await store.leases.claim(terms);
    if (claimed.length === 0) return won;
    won.push(...claimed.map(({ id }) => id));
    await setTimeout(1); // lets the others have a turn
  }
};

/** Writes the same number into two documents, a checkpoint and a row, over and over, until it is killed. */
const writeOn = async (): Promise<void> => {
  const fence = await store.leases.acquire('writer', `process ${process.pid}`, 600_000);
  if (!fence) throw new Error('another writer lives');
  for (let n = Number((await store.models.checkpoint('written')) ?? 0) + 1; ; n += 1) {
    const writes = ['x', 'y'].map((id) => write('written', id, n, { n, filler: 'z'.repeat(3_000) }));
    await store.models.commit(writes, { written: position(n) }, fence);
    await store.tables.insert('written', String(n), { n });
    process.send?.(n);
    await setImmediate();
  }
};

/**
 * Fills one collection after the other, points the alias `flipped` at it, and drops the one before, as
 * rebuilds do.
 */
const flip = async (): Promise<void> => {
  const fence = await store.leases.acquire('flipper', 'flipper', 600_000);
  if (!fence) throw new Error('another one flips');
  for (let n = 1; n <= Number(many); n += 1) {
    await store.models.commit([write(`flip_${n}`, 'x', n, { id: 'x', n })], {}, fence);
    await store.models.alias('flipped', `flip_${n}`);
    await store.models.drop(`flip_${n - 1}`);
    if (n === 1) process.send?.('ready');
  }
};

const roles: Readonly<Record<string, () => Promise<void>>> = { claim: claimAll, write: writeOn, flip };
await roles[role]?.();
await store.close();
process.disconnect();
