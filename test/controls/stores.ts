import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context, createHandle } from '../../commands/handle.ts';
import { createBackground } from '../../kernel/background.ts';
import { systemIds } from '../../kernel/ids.ts';
import type { Report } from '../../kernel/report.ts';
import { createCredentials } from '../../stores/credentials.ts';
import type { Fence } from '../../stores/documents/port.ts';
import { sqliteDocumentStore } from '../../stores/documents/sqlite.ts';
import { cataloguedLog } from '../../stores/events/catalogued.ts';
import { sealedLog } from '../../stores/events/codec.ts';
import { sqliteEventStore } from '../../stores/events/sqlite.ts';
import { subjectKeys } from '../../stores/events/subjectKeys.ts';
import { catalogueWithNumbers, checkedReads } from './catalogue.ts';
import { standingClock } from './clock.ts';
import { keyringOf } from './keyring.ts';

const nothing = (): void => undefined;

const MASTER_KEY = Buffer.alloc(32, 7);

/** Who asks, where a test does not care. */
export const context: Context = {
  actor: { kind: 'system', id: 'test' },
  correlationId: 'correlation',
  causationId: 'causation',
};

/** The same of the operator, at the command line. */
export const operatorContext: Context = { ...context, actor: { kind: 'operator', id: 'cli' } };

/** Ends the process of the tests: nobody would see it otherwise. */
const unexpected = (error: unknown): never => {
  throw error;
};

/**
 * The embedded stores in a temporary folder that `remove` takes away, and a clock of theirs that a test
 * moves. Every event that is read through `log` is checked, as those are that are written.
 */
export const temporaryStores = () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-core-'));
  const { clock, pass } = standingClock();
  const documents = sqliteDocumentStore({ folder, clock, steadyMs: () => clock.now().getTime() });
  const events = sqliteEventStore({ path: join(folder, 'log.db') });
  const keys = subjectKeys({ tables: documents.tables, keyring: keyringOf(MASTER_KEY) });
  const stored = sealedLog(events, keys);
  const log = cataloguedLog(checkedReads(stored, catalogueWithNumbers), {
    catalogue: async () => catalogueWithNumbers,
    onUnknown: nothing,
  });
  const background = createBackground(unexpected);
  return {
    folder,
    clock,
    pass,
    ids: systemIds,
    documents,
    events,
    keys,
    stored,
    log,
    credentials: createCredentials(documents.tables),
    handle: createHandle(log, clock, systemIds),
    background,
    remove: async (): Promise<void> => {
      await background.settled();
      await events.close();
      await documents.close();
      rmSync(folder, { recursive: true });
    },
  };
};
export type Stores = ReturnType<typeof temporaryStores>;

/** A test's body with stores of its own, which are removed behind it. */
export const withStores = (body: (stores: Stores) => Promise<void>) => async (): Promise<void> => {
  const stores = temporaryStores();
  try {
    await body(stores);
  } finally {
    await stores.remove();
  }
};

/** A lease of the stores, held as long as their clock stands still. */
export const fenceOf = async ({ documents }: Pick<Stores, 'documents'>, lease: string): Promise<Fence> => {
  const fence = await documents.leases.acquire(lease, 'test', 15_000);
  if (!fence) throw new Error(`the lease ${lease} was refused`);
  return fence;
};

type Line = Readonly<{ level: 'info' | 'warn' | 'error'; message: string; facts: object }>;

/** Keeps what loops report. */
export const keptReport = () => {
  const lines: Line[] = [];
  const write =
    (level: Line['level']) =>
    (message: string, facts: object = {}): void =>
      void lines.push({ level, message, facts });
  const report: Report = { info: write('info'), warn: write('warn'), error: write('error') };
  return { report, lines };
};

/** The error that `body` fails with; fails itself when there is none. */
export const failure = async (body: Promise<unknown>): Promise<Error> => {
  const outcome = await body.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(outcome instanceof Error)) throw new Error('it was expected to fail');
  return outcome;
};

/** A promise and its ends: a test lets something wait for it. */
export const gate = <T = void>() => {
  let open: (value: T) => void = () => undefined;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
};
