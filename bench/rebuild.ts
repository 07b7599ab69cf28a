import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allProjections } from '../projections/all.ts';
import { rebuildBeside } from '../runtime/rebuild.ts';
import { catalogue } from '../runtime/release.ts';
import { sqliteDocumentStore } from '../stores/documents/sqlite.ts';
import { cataloguedLog } from '../stores/events/catalogued.ts';
import { sealedLog } from '../stores/events/codec.ts';
import { sqliteEventStore } from '../stores/events/sqlite.ts';
import { subjectKeys } from '../stores/events/subjectKeys.ts';
import { openDatabase } from '../stores/sqlite/database.ts';
import { EVENTS_EACH, fillLog } from './filledLog.ts';
import { type Cost, compare, cost, report } from './measure.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'a rebuild of all projections against reading and parsing the same events (goals P6)';

/** Measures goals P6; `--events N` (200,000 unless told), `--rounds N` (5 unless told). True when it is reached. */
export const run = async (options: readonly string[]): Promise<boolean> => {
  const { values } = parseArgs({
    args: [...options],
    options: {
      rounds: { type: 'string', default: '5' },
      events: { type: 'string', default: '200000' },
      page: { type: 'string', default: '5000' },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'intake-bench-'));
  const submissions = Math.ceil(Number(values.events) / EVENTS_EACH);
  const stores = open(folder);
  try {
    await fillLog(stores.log, submissions);
    const events = submissions * EVENTS_EACH;
    process.stdout.write(`${events} events\n`);
    const line = await compare(
      `${events.toLocaleString('en')} events`,
      1 / 3,
      Number(values.rounds),
      () => cost(events, () => readAndParse(join(folder, 'log.db'), events)),
      () => rebuildAll(stores, events, Number(values.page)),
    );
    return report([line]);
  } finally {
    await stores.close();
    rmSync(folder, { recursive: true });
  }
};

const open = (folder: string) => {
  const documents = sqliteDocumentStore({ folder, clock: { now: () => new Date() } });
  const events = sqliteEventStore({ path: join(folder, 'log.db') });
  const masterKey = Buffer.alloc(32, 7);
  return {
    documents,
    log: cataloguedLog(sealedLog(events, subjectKeys({ tables: documents.tables, masterKey })), {
      catalogue,
      onUnknown: ({ type }) => {
        throw new Error(`${type} is no event of this release`);
      },
    }),
    close: async () => {
      await events.close();
      await documents.close();
    },
  };
};

const readAndParse = (path: string, expected: number): void => {
  const database = openDatabase(path, { synchronous: 'FULL' });
  const read = database.prepare<[number, string, string]>(
    'SELECT position, metadata, data FROM events WHERE position > ? ORDER BY position LIMIT 1000',
  );
  let count = 0;
  for (let last = 0; ; ) {
    const rows = read.all(last);
    for (const [position, metadata, data] of rows) {
      last = position;
      JSON.parse(metadata);
      JSON.parse(data);
      count += 1;
    }
    if (rows.length === 0) break;
  }
  database.close();
  if (count !== expected) throw new Error(`read ${count} events of ${expected}`);
};

const rebuildAll = async (
  { log, documents }: ReturnType<typeof open>,
  events: number,
  page: number,
): Promise<Cost> => {
  const { signal } = new AbortController();
  const tell = (): void => undefined;
  const options = { log, documents, owner: 'bench', signal, tell, page, patienceMs: 0, graceMs: 0 };
  return cost(events, async () => {
    if (!(await rebuildBeside(options, allProjections))) throw new Error('the rebuild was cancelled');
  });
};
