import { randomBytes } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import { hmacId } from '../../kernel/hmac.ts';
import { decrypt, encrypt } from '../../kernel/sealing.ts';
import type { Tables } from '../documents/port.ts';
import type { Claim, IdempotencyRecords, Reserved, Scope } from './port.ts';

type Options = Readonly<{
  tables: Tables;
  masterKey: Uint8Array;
  clock: Clock;
  reserve(): Reserved;
}>;

/**
 * Times in ISO 8601. `runningSince` is null when nobody is at it, `outcome` (sealed) until it has been
 * answered.
 */
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
/** As many are remembered; of others it is known after 15 s. */
const UNWRITTEN = 10_000;
const PURGE_ROWS = 500;
const PURGE_PAGES = 10;

/**
 * The table `idempotency`. Keys and bodies are stored as HMACs only, and answers, which may hold private
 * data, are sealed under a key that MASTER_KEY gives each record.
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
  const isExpired = ({ startedAt }: Row): boolean => elapsedSince(startedAt) >= LIFE_MS;
  // One that began in the future was written by a clock that has been set back: nobody waits for it to come
  // again.
  const isRunning = ({ runningSince }: Row): boolean =>
    runningSince !== null && Math.abs(elapsedSince(runningSince)) < RUNNING_MS;
  // Claims of this process that ended while nothing could be written: their outcome is in no row. By
  // name, the version.
  const unwritten = new Map<string, number>();

  /** Writes a claim's row; null when another request was quicker. */
  const claim = async (key: string, found: number | null, row: Row, takenOver: boolean) => {
    const won = await (found === null
      ? tables.insert(TABLE, key, row)
      : tables.replace(TABLE, key, found, row));
    return won ? { key, version: (found ?? 0) + 1, reserved: row.reserved, takenOver } : null;
  };
  const write = async ({ key, version }: Claim, outcome: O | null): Promise<void> => {
    const found = await tables.read<Row>(TABLE, key);
    if (found?.version !== version) return;
    const sealed = outcome && seal(key, outcome);
    await tables.replace(TABLE, key, version, { ...found.row, runningSince: null, outcome: sealed });
  };
  const end = async (claim: Claim, outcome: O | null): Promise<void> => {
    try {
      await write(claim, outcome);
    } catch (error) {
      const [oldest] = unwritten.keys();
      if (unwritten.size >= UNWRITTEN && oldest !== undefined) unwritten.delete(oldest);
      unwritten.set(claim.key, claim.version);
      throw error;
    }
  };
  const hasEnded = (key: string, version: number | undefined): boolean =>
    version !== undefined && unwritten.get(key) === version;

  return {
    begin: async (scope, text) => {
      const key = nameOf(scope);
      const body = hmacId(masterKey, 'idempotency body', text);
      for (;;) {
        const found = await tables.read<Row>(TABLE, key);
        const at = clock.now().toISOString();
        const known = found && !isExpired(found.row) ? found.row : null;
        if (known && known.body !== body) return { kind: 'otherBody' };
        if (known?.outcome)
          return { kind: 'answered', outcome: open(key, known.outcome), reserved: known.reserved };
        if (known && isRunning(known) && !hasEnded(key, found?.version)) return { kind: 'running' };
        const fresh = { body, reserved: reserve(), startedAt: at, outcome: null };
        const row = { ...(known ?? fresh), runningSince: at };
        const claimed = await claim(key, found?.version ?? null, row, known !== null);
        if (!claimed) continue;
        unwritten.delete(key);
        return { kind: 'claimed', claim: claimed };
      }
    },
    finish: end,
    release: (claimed) => end(claimed, null),
    purge: purger(tables, isExpired),
  };
};

/** Goes through the table some thousand rows at a time, and on from there when it is called again. */
const purger = (tables: Tables, isExpired: (row: Row) => boolean): (() => Promise<void>) => {
  let after: string | undefined;
  const purgePage = async (): Promise<boolean> => {
    const from = after === undefined ? {} : { after };
    const rows = await tables.list<Row>(TABLE, { ...from, limit: PURGE_ROWS });
    const expired = rows.filter(({ row }) => isExpired(row));
    await Promise.all(expired.map(({ key, version }) => tables.remove(TABLE, key, version)));
    after = rows.length < PURGE_ROWS ? undefined : rows.at(-1)?.key;
    return after !== undefined;
  };
  return async () => {
    for (let page = 0; page < PURGE_PAGES && (await purgePage()); page += 1);
  };
};
