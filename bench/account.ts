import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { print } from '../scripts/named.ts';
import { type Database, openDatabase } from '../stores/sqlite/database.ts';
import { roundTrips } from './account/roundTrips.ts';
import { BYTES_OF_PAGE, followLog, type Written } from './account/writeAheadLog.ts';
import { type Usage, usageOf, wakeUpsOf } from './deliveries/usage.ts';
import type { Row } from './measure.ts';
import { optionsOf } from './options.ts';
import { openStage, type Stage } from './pipeline/stage.ts';

/** What `npm run bench -- --help` says of this. */
export const summary =
  'what each step of a text submission writes, waits for and costs; on engines its round trips';

const FILES = ['log.db', 'models.db', 'tables.db', 'keys.db'] as const;
type File = (typeof FILES)[number];

/** In turns: a delivery is what the last step takes more where there is a webhook. */
const STEPS = ['open', 'put', 'submit', 'read and decide', 'with delivery'] as const;
type Step = (typeof STEPS)[number];

/** What a step took of the service, its children left out. */
type Account = Readonly<{ usage: Usage; wakeUps: number; events: number }> &
  Readonly<{ written: Readonly<Record<File, Written>> }>;

/** Nothing is written for so long: what a step set off has come to its end. */
const QUIET_MS = 250;

/**
 * Does `--count N` submissions (40) one after the other, each step by itself until nothing more is written,
 * and prints what the steps took each, and the pages by the tables and indexes that they belong to. Needs
 * Linux. On a document store and an object store that the environment names it counts round trips instead.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { MONGODB_URL, S3_ENDPOINT } = process.env;
  if (MONGODB_URL && S3_ENDPOINT)
    return roundTrips(optionsOf(options, { count: 10, warm: 2 }), { MONGODB_URL, S3_ENDPOINT });
  const { count, warm } = optionsOf(options, { count: 40, warm: 40 });
  const stage = await openStage();
  try {
    for (let n = 0; n < warm; n += 1) await stage.submit();
    const books = openBooks(stage);
    await books.settled();
    const found = new Map<Step, Account[]>(STEPS.map((step) => [step, []]));
    for (let n = 0; n < count; n += 1) await submission(stage, books, n % 2 === 0, found);
    report(found, books);
    books.close();
    return [];
  } finally {
    await stage.end();
  }
};

type Books = ReturnType<typeof openBooks>;

const submission = async (
  stage: Stage,
  { settled, balance }: Books,
  withWebhook: boolean,
  found: ReadonlyMap<Step, Account[]>,
): Promise<void> => {
  const enter = (step: Step): void => {
    const account = balance();
    if (account) found.get(step)?.push(account);
  };
  const opened = await stage.open(withWebhook);
  await settled();
  enter('open');
  await opened.put();
  await settled();
  enter('put');
  const webhook = withWebhook ? opened.arrived() : undefined;
  await opened.submit();
  // The file is read at once: what is set off before the answer has arrived here counts for this step.
  enter('submit');
  await webhook;
  await settled();
  enter(withWebhook ? 'with delivery' : 'read and decide');
};

/** Follows what the service writes. `balance` closes a step; null where a log has started anew within it. */
const openBooks = ({ folder, pid }: Stage) => {
  const path = (file: File): string => join(folder, 'data', file);
  const databases = FILES.map((file) => openDatabase(path(file), { synchronous: 'NORMAL' }));
  const logs = FILES.map((file) => followLog(`${path(file)}-wal`));
  const [log] = databases as [Database, ...Database[]];
  const newest = log.texts<[string]>('SELECT max(position) FROM events');
  const reading = () => ({
    usage: usageOf(pid),
    wakeUps: wakeUpsOf(pid),
    events: Number(newest()[0]?.[0]),
  });
  for (const log of logs) log();
  let before = reading();
  return {
    settled: async (): Promise<void> => {
      for (let [last, now] = [0, usageOf(pid).bytes]; last !== now; [last, now] = [now, usageOf(pid).bytes])
        await wait(QUIET_MS);
    },
    balance: (): Account | null => {
      const written = logs.map((log) => log());
      const [from, to] = [before, reading()];
      before = to;
      if (written.includes(null)) return null;
      return {
        usage: {
          cpuMs: to.usage.cpuMs - from.usage.cpuMs,
          bytes: to.usage.bytes - from.usage.bytes,
          writes: to.usage.writes - from.usage.writes,
        },
        wakeUps: to.wakeUps - from.wakeUps,
        events: to.events - from.events,
        written: Object.fromEntries(FILES.map((file, n) => [file, written[n]])) as Account['written'],
      };
    },
    owners: (file: File): ReadonlyMap<number, string> => ownersIn(databases[FILES.indexOf(file)] as Database),
    close: (): void => {
      for (const database of databases) database.close();
    },
  };
};

/** The table or index of each page. */
const ownersIn = (database: Database): ReadonlyMap<number, string> =>
  new Map(
    database
      .texts<[string, string]>('SELECT pageno, name FROM dbstat')()
      .map(([page, name]) => [Number(page), name]),
  );

const report = (found: ReadonlyMap<Step, readonly Account[]>, books: Books): void => {
  print(
    `a step | events | ${FILES.map((file) => `${file} commits/pages`).join(' | ')} | kB of logs | kB in writes | wake-ups | ms`,
  );
  for (const [step, accounts] of found) {
    const each = (pick: (account: Account) => number): number => sum(accounts, pick) / accounts.length;
    const files = FILES.map((file) => {
      const commits = each(({ written }) => written[file].commits);
      return `${commits.toFixed(1)}/${each(({ written }) => written[file].pages.length).toFixed(1)}`;
    });
    const pages = each(({ written }) => sum(FILES, (file) => written[file].pages.length));
    print(
      [
        `${step} (${accounts.length})`,
        each(({ events }) => events).toFixed(1),
        ...files,
        ((pages * BYTES_OF_PAGE) / 1_000).toFixed(0),
        `${(each(({ usage }) => usage.bytes) / 1_000).toFixed(0)} in ${each(({ usage }) => usage.writes).toFixed(0)}`,
        each(({ wakeUps }) => wakeUps).toFixed(0),
        each(({ usage }) => usage.cpuMs).toFixed(1),
      ].join(' | '),
    );
  }
  for (const file of FILES) {
    const owners = books.owners(file);
    const pages = new Map<string, number>();
    for (const [step, accounts] of found)
      for (const { written } of accounts)
        for (const page of written[file].pages) {
          const name = owners.get(page) ?? 'free';
          const share = step === 'read and decide' || step === 'with delivery' ? 0.5 : 1;
          pages.set(name, (pages.get(name) ?? 0) + share / accounts.length);
        }
    for (const [name, number] of [...pages].sort(([, one], [, other]) => other - one))
      if (number >= 0.1) print(`${file} | ${name} | ${number.toFixed(1)}`);
  }
};

const sum = <T>(all: readonly T[], pick: (one: T) => number): number =>
  all.reduce((total, one) => total + pick(one), 0);
