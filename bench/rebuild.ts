import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allProjections } from '../projections/all.ts';
import { runRebuild } from '../projections/engine/rebuild/leased.ts';
import { eventCatalogue } from '../schemas/events.ts';
import { sqliteDocumentStore } from '../stores/documents/sqlite.ts';
import { cataloguedLog } from '../stores/events/catalogued.ts';
import { sealedLog } from '../stores/events/codec.ts';
import { sqliteEventStore } from '../stores/events/sqlite.ts';
import { subjectKeys } from '../stores/events/subjectKeys.ts';
import { keyringOf } from '../test/controls/keyring.ts';
import { EVENTS_EACH, fillLog } from './filledLog.ts';
import { readAndOpen, readAndParse } from './logYardsticks.ts';
import { type Cost, compare, cost, type Row } from './measure.ts';
import { optionsOf } from './options.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'a rebuild of all projections against reading and parsing the same events';

/**
 * Measures a rebuild by processor time, and the memory that rebuilds take; `--events N` (default 200,000),
 * `--rounds N` (5), `--page N` (5,000, as in `intake projections rebuild`). Its rows are those of P6: the
 * second one shows the share of opening private parts.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { events, rounds, page } = optionsOf(options, { rounds: 5, events: 200_000, page: 5_000 });
  const folder = mkdtempSync(join(tmpdir(), 'intake-bench-'));
  const submissions = Math.ceil(events / EVENTS_EACH);
  const stores = open(folder);
  try {
    await fillLog(stores.log, submissions);
    const terms = { folder, stores, events: submissions * EVENTS_EACH };
    return await measure({ ...terms, rounds, page });
  } finally {
    await stores.close();
    rmSync(folder, { recursive: true });
  }
};

const PARSING = 'reading and parsing the same events';
const OPENING = `${PARSING}, and opening their private parts`;

type Terms = Readonly<{
  folder: string;
  stores: ReturnType<typeof open>;
  events: number;
  rounds: number;
  page: number;
}>;

const measure = async ({ folder, stores, events, rounds, page }: Terms): Promise<readonly Row[]> => {
  // Both in each round: the second line is of the same rebuilds as the first.
  const opened: Cost[] = [];
  const rebuilt: Cost[] = [];
  let peak = 0;
  const parse = async (): Promise<Cost> => {
    opened.push(await cost(events, async () => expectAll(await readAndOpen(folder, stores.keys), events)));
    return cost(events, () => expectAll(readAndParse(folder), events));
  };
  const rebuild = async (): Promise<Cost> => {
    const onEvent = (): void => {
      peak = Math.max(peak, process.memoryUsage.rss());
    };
    const taken = await cost(events, () => rebuildAll(stores, page, onEvent));
    rebuilt.push(taken);
    return taken;
  };
  const what = `rebuild, ${events.toLocaleString('en')} events`;
  const rebuilding = { figure: 'P6', what, yardstick: PARSING, by: 'cpu' } as const;
  const judged = await compare({ ...rebuilding, goal: 1 / 3 }, rounds, parse, rebuild);
  const opening = await compare(
    { ...rebuilding, yardstick: OPENING, goal: null },
    rounds,
    of(opened),
    of(rebuilt),
  );
  process.stdout.write(`${Math.round(peak / 1e6)} MB of memory were resident at most\n`);
  return [judged, opening];
};

const of =
  (costs: readonly Cost[]) =>
  async (round: number): Promise<Cost> => {
    const found = costs[round];
    if (!found) throw new Error(`round ${round} was not measured`);
    return found;
  };

const open = (folder: string) => {
  const documents = sqliteDocumentStore({ folder, clock: { now: () => new Date() } });
  const events = sqliteEventStore({ path: join(folder, 'log.db') });
  const keys = subjectKeys({ tables: documents.tables, keyring: keyringOf(Buffer.alloc(32, 7)) });
  return {
    documents,
    keys,
    log: cataloguedLog(sealedLog(events, keys), {
      catalogue: async () => eventCatalogue,
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

const expectAll = (count: number, events: number): void => {
  if (count !== events) throw new Error(`read ${count} events of ${events}`);
};

const rebuildAll = async (
  { log, documents }: ReturnType<typeof open>,
  page: number,
  onEvent: () => void,
): Promise<void> => {
  const { signal } = new AbortController();
  const options = { log, documents, owner: 'bench', signal, onEvent, page, patienceMs: 0, graceMs: 0 };
  if (!(await runRebuild(options, allProjections))) throw new Error('the rebuild was cancelled');
};
