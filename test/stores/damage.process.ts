import { createHash } from 'node:crypto';
import { systemClock } from '../../kernel/clock.ts';
import { StoreDamaged } from '../../kernel/errors.ts';
import { sqliteDocumentStore } from '../../stores/documents/sqlite.ts';
import { sqliteEventStore } from '../../stores/events/sqlite.ts';
import { write } from '../contract/documents/stage.ts';
import { numbered, untilLive } from '../contract/events/controls.ts';

// A process of its own for damage.test.ts: an abort of libsql's must not end the tests. For each folder that
// it is sent it tells what became of it.

/** `read`: the digest of all that is there, or the damage that was met; `wrote`: likewise. */
export type Outcome = Readonly<{ read: string; wrote: string }>;

const { signal } = new AbortController();

const told = async (act: () => Promise<string>): Promise<string> => {
  try {
    return await act();
  } catch (error) {
    if (error instanceof StoreDamaged) return error.message;
    throw error;
  }
};

const digest = (all: unknown): string => createHash('sha256').update(JSON.stringify(all)).digest('hex');

const events = async (folder: string, inspects: boolean): Promise<Outcome> => {
  const store = sqliteEventStore({ path: `${folder}/log.db` });
  const read = await told(async () => {
    if (inspects) await store.inspect?.(signal);
    const all = await untilLive(store, null, { prefixes: ['damage-'], page: 1_000 });
    const streams = [];
    for (let n = 0; n < 20; n += 1) for await (const event of store.read(`damage-${n}`)) streams.push(event);
    return digest([all, streams]);
  });
  const wrote = await told(async () => {
    await store.append('damage-new', 'none', numbered(1));
    return 'stored';
  });
  await store.close();
  return { read, wrote };
};

const documents = async (folder: string, inspects: boolean): Promise<Outcome> => {
  const store = sqliteDocumentStore({ folder, clock: systemClock });
  const read = await told(async () => {
    if (inspects) await store.inspect?.(signal);
    const sort = [{ path: 'n', direction: 'ascending' }] as const;
    const page = await store.models.page('damaged', { where: {}, sort, limit: 10_000, after: null });
    const ids = Array.from({ length: 600 }, (_, n) => `d${n}`);
    const many = await store.models.getMany('damaged', ids);
    const rows = [await store.tables.list('damaged'), await store.tables.list('subjectKeys')];
    const owner = 'claimer';
    const claim = { collection: 'damaged', owner, leaseMs: 60_000, limit: 50, perLane: 50, skip: [] };
    const claimed = await store.leases.claim(claim);
    return digest([page, [...many], rows, claimed.map(({ id }) => id)]);
  });
  const wrote = await told(async () => {
    const fence = await store.leases.take('writer', 'writer', 60_000);
    await store.models.commit([write('damaged', 'new', 10_000, { id: 'new' })], {}, fence);
    for (const table of ['damaged', 'subjectKeys']) await store.tables.insert(table, 'new', {});
    return 'stored';
  });
  await store.close();
  return { read, wrote };
};

const outcomeOf = async (folder: string, inspects: boolean): Promise<Outcome> => {
  try {
    const [log, stored] = [await events(folder, inspects), await documents(folder, inspects)];
    return { read: `${log.read}\n${stored.read}`, wrote: `${log.wrote}\n${stored.wrote}` };
  } catch (error) {
    // What can't even be opened.
    if (error instanceof StoreDamaged) return { read: error.message, wrote: error.message };
    throw error;
  }
};

process.on('message', async ({ folder, inspects }: { folder: string; inspects: boolean }) => {
  process.send?.(await outcomeOf(folder, inspects));
});
