import { randomBytes } from 'node:crypto';
import type { Clock } from '../../runtime/clock.ts';
import type { Tables } from '../documents/port.ts';
import { decrypt, encrypt } from '../events/aead.ts';
import { hmacId } from '../events/hmacId.ts';
import type { Claim, IdempotencyRecords, Reserved, Scope } from './port.ts';

type Options = Readonly<{
  tables: Tables;
  masterKey: Uint8Array;
  clock: Clock;
  reserve(): Reserved;
}>;

/** Times in ISO 8601. `runningSince` is null when nobody is at it, `outcome` (sealed) until it has been answered. */
type Row = Readonly<{
  body: string;
  reserved: Reserved;
  startedAt: string;
  runningSince: string | null;
  outcome: string | null;
}>;

const TABLE = 'idempotency';
const LIFE_MS = 24 * 3_600_000;
const RUNNING_MS = 15_000;
const PURGE_ROWS = 500;
const PURGE_PAGES = 10;

/**
 * The table `idempotency`. Keys and bodies stand in it as HMACs only, and answers, which may hold private data, are sealed under a key that
 * MASTER_KEY gives each record.
 */
export const idempotencyRecords = <O extends object>(options: Options): IdempotencyRecords<O> => {
  const { tables, masterKey, clock, reserve } = options;
  const nameOf = ({ keyId, method, path, idempotencyKey }: Scope): string =>
    hmacId(masterKey, 'idempotency', keyId, method, path, idempotencyKey);
  const sealKey = (key: string): Buffer => Buffer.from(hmacId(masterKey, 'idempotency seal', key), 'hex');
  const seal = (key: string, outcome: O): string =>
    encrypt(sealKey(key), randomBytes(12), key, Buffer.from(JSON.stringify(outcome)));
  // What was sealed here is JSON of an O.
  const open = (key: string, sealed: string): O => JSON.parse(decrypt(sealKey(key), key, sealed).toString());

  const elapsedSince = (at: string): number => clock.now().getTime() - Date.parse(at);
  const isOver = ({ startedAt }: Row): boolean => elapsedSince(startedAt) >= LIFE_MS;
  const isRunning = ({ runningSince }: Row): boolean =>
    runningSince !== null && elapsedSince(runningSince) < RUNNING_MS;

  /** Writes a claim's row; null when another request was quicker. */
  const claim = async (key: string, found: number | null, row: Row, takenOver: boolean) => {
    const won = await (found === null
      ? tables.insert(TABLE, key, row)
      : tables.replace(TABLE, key, found, row));
    return won ? { key, version: (found ?? 0) + 1, reserved: row.reserved, takenOver } : null;
  };
  const end = async ({ key, version }: Claim, outcome: O | null): Promise<void> => {
    const found = await tables.read<Row>(TABLE, key);
    if (found?.version !== version) return;
    const sealed = outcome && seal(key, outcome);
    await tables.replace(TABLE, key, version, { ...found.row, runningSince: null, outcome: sealed });
  };

  return {
    begin: async (scope, text) => {
      const key = nameOf(scope);
      const body = hmacId(masterKey, 'idempotency body', text);
      for (;;) {
        const found = await tables.read<Row>(TABLE, key);
        const at = clock.now().toISOString();
        const known = found && !isOver(found.row) ? found.row : null;
        if (known && known.body !== body) return { kind: 'otherBody' };
        if (known?.outcome)
          return { kind: 'answered', outcome: open(key, known.outcome), reserved: known.reserved };
        if (known && isRunning(known)) return { kind: 'running' };
        const fresh = { body, reserved: reserve(), startedAt: at, outcome: null };
        const row = { ...(known ?? fresh), runningSince: at };
        const claimed = await claim(key, found?.version ?? null, row, known !== null);
        if (claimed) return { kind: 'claimed', claim: claimed };
      }
    },
    finish: end,
    release: (claimed) => end(claimed, null),
    purge: purger(tables, isOver),
  };
};

/** Goes through the table some thousand rows at a time, and on from there when it is called again. */
const purger = (tables: Tables, isOver: (row: Row) => boolean): (() => Promise<void>) => {
  let after: string | undefined;
  const purgePage = async (): Promise<boolean> => {
    const from = after === undefined ? {} : { after };
    const rows = await tables.list<Row>(TABLE, { ...from, limit: PURGE_ROWS });
    const over = rows.filter(({ row }) => isOver(row));
    await Promise.all(over.map(({ key, version }) => tables.remove(TABLE, key, version)));
    after = rows.length < PURGE_ROWS ? undefined : rows.at(-1)?.key;
    return after !== undefined;
  };
  return async () => {
    for (let page = 0; page < PURGE_PAGES && (await purgePage()); page += 1);
  };
};
