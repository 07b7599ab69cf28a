import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Position } from '../../kernel/event.ts';
import { allProjections } from '../../projections/all.ts';
import { projectLive, settle } from '../../projections/engine/live.ts';
import { liveCheckpoint } from '../../projections/engine/readModels.ts';
import { rootsOf } from '../../runtime/dataFolder.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import { checkStores } from '../../runtime/storeChecks.ts';
import { type Core, wireCore } from '../../runtime/wire.ts';
import { sqliteDocumentStore } from '../../stores/documents/sqlite.ts';
import { storedKeyring } from '../../stores/keyring/keyring.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('store checks');
const operator = {
  actor: { kind: 'operator', id: 'test' },
  correlationId: 'test',
  causationId: 'test',
} as const;

type Open = (settings?: Readonly<Record<string, string>>) => Promise<string>;

/**
 * Gives the body a folder with one company in it, and a function that opens it: `fine`, or what it is refused
 * for.
 */
const damaging = (body: (folder: string, open: Open) => Promise<void>) => async () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-check-'));
  const open: Open = async (settings = {}) => {
    try {
      const core = await wireCore(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', ...settings }));
      await checkStores(core).finally(core.close);
      return 'fine';
    } catch (error) {
      assert.ok(['DataDirDamaged', 'StoreMisconfigured'].includes((error as Error).name));
      return (error as Error).message;
    }
  };
  try {
    assert.is(await open(), 'fine', 'an empty folder');
    const core = await wireCore(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }));
    await showEmptyLog(core);
    assert.is(await open(), 'fine', 'read models of an empty log');
    const { position } = await core.administer.createCompany('ACME', operator);
    assert.ok(await settle(core, position));
    await core.close();
    assert.is(await open(), 'fine', 'a whole folder');
    await body(folder, open);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** As a server does on an empty folder: its read models have folded the whole log, which is empty. */
const showEmptyLog = async (core: Core): Promise<void> => {
  const stop = new AbortController();
  const running = projectLive(core, stop.signal);
  await eventually(
    'the first page',
    async () => (await liveCheckpoint(allProjections, core.documents.models)) !== null,
  );
  stop.abort();
  await running;
};

const remove = (folder: string, name: string): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `${name}${end}`), { force: true });
};

test(
  'another master key is refused, in the environment as in its file',
  damaging(async (folder, open) => {
    const other = Buffer.alloc(32, 7).toString('base64');
    assert.match(await open({ MASTER_KEY: other }), /MASTER_KEY .*is not the key/);
    writeFileSync(join(folder, 'master.key'), other);
    assert.match(await open(), /MASTER_KEY .*is not the key/);
  }),
);

test(
  'a lost master key is asked for, never made again',
  damaging(async (folder, open) => {
    rmSync(join(folder, 'master.key'));
    assert.match(await open(), /master\.key is missing/);
    assert.not.ok(existsSync(join(folder, 'master.key')));
  }),
);

test(
  'lost tables are refused: nobody could tell their absence from redaction',
  damaging(async (folder, open) => {
    remove(folder, 'tables.db');
    assert.match(await open(), /tables\.db is missing or empty/);
    writeFileSync(join(folder, 'tables.db'), '');
    assert.match(await open(), /tables\.db is missing or empty/);
  }),
);

test(
  'a lost keys.db is refused, and not made again',
  damaging(async (folder, open) => {
    remove(folder, 'keys.db');
    assert.match(await open(), /keys\.db is missing or empty/);
    assert.match(await open(), /keys\.db is missing or empty/);
  }),
);

test(
  'a log that ends before its read models is refused; without them it is taken as it is',
  damaging(async (folder, open) => {
    remove(folder, 'log.db');
    assert.match(await open(), /log\.db.* ends before/);
    remove(folder, 'models.db');
    assert.is(await open(), 'fine');
  }),
);

test(
  'lost read models are no damage',
  damaging(async (folder, open) => {
    remove(folder, 'models.db');
    assert.is(await open(), 'fine');
  }),
);

test(
  'a log on a server whose end is old for a moment is asked again, one in DATA_DIR is not [operations-3]',
  damaging(async (folder) => {
    const core = await wireCore(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }));
    const newest = await core.log.head();
    const old = newest?.replaceAll(/[1-9]/g, '0') as Position;
    /** How often the end was asked for, the first `times` of which gave an old one, and what came of it. */
    const looks = async (times: number, embedded: typeof core.embedded, ended?: AbortSignal) => {
      let asked = 0;
      const head = async () => {
        asked += 1;
        return asked > times ? newest : old;
      };
      const { signal } = new AbortController();
      const stores = { ...core, log: { ...core.log, head }, embedded };
      const error = await checkStores(stores, ended ?? signal, async () => undefined).catch((e: Error) => e);
      return [asked, error?.name ?? 'fine'];
    };
    const elsewhere = { ...core.embedded, log: false };
    try {
      assert.equal(await looks(4, elsewhere), [5, 'fine']);
      assert.equal(await looks(99, elsewhere), [6, 'StoreMisconfigured']);
      assert.equal(await looks(99, core.embedded), [1, 'StoreMisconfigured']);
      assert.equal(await looks(99, elsewhere, AbortSignal.abort()), [1, 'StoreUnavailable']);
    } finally {
      await core.close();
    }
  }),
);

test(
  'stores that were not used together are refused: another one’s tables, read models of another log',
  damaging(async (folder) => {
    const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' });
    const core = await wireCore(config);
    const other = mkdtempSync(join(tmpdir(), 'intake-other-'));
    const empty = sqliteDocumentStore({ folder: other, clock: core.clock });
    const { tables } = empty;
    const keyring = storedKeyring({ tables, roots: rootsOf(config), clock: core.clock });
    const refusal = (stores: object): Promise<string> =>
      checkStores({ ...core, ...stores }).then(
        () => 'fine',
        (error: Error) => error.message,
      );
    const head = async () => '7' as Position;
    try {
      assert.match(await refusal({ documents: empty, keyring }), /holds events, but the tables .* are empty/);
      assert.match(await refusal({ log: { ...core.log, head } }), /made from another log than log\.db/);
    } finally {
      await empty.close();
      await core.close();
      rmSync(other, { recursive: true });
    }
  }),
);
