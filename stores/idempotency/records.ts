import { randomBytes } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import { hmacId } from '../../kernel/hmac.ts';
import { decrypt, encrypt } from '../../kernel/sealing.ts';
import type { Tables } from '../documents/port.ts';
import { createPurge } from '../documents/rows.ts';
import type { SubjectKeys } from '../events/subjectKeys.ts';
import type { Keyring, Purpose, SealedTable } from '../keyring/keyring.ts';
import type { Begun, Claim, IdempotencyRecords, Reserved, Scope } from './port.ts';

type Options = Readonly<{
  tables: Tables;
  keys: Pick<SubjectKeys, 'find'>;
  keyring: Keyring;
  clock: Clock;
  reserve(): Reserved;
}>;

/**
 * Times in ISO 8601. `runningSince` is null when no request runs, `outcome` (sealed) until one has ended;
 * `subject`: under whose key.
 */
type Row = Readonly<{
  body: string;
  reserved: Reserved;
  startedAt: string;
  runningSince: string | null;
  outcome: string | null;
  subject: string | null;
}>;

const TABLE = 'idempotency';
const LIFE_MS = 24 * 3_600_000;
const RUNNING_MS = 15_000;
/** Of more claims than these, the oldest count as running until their 15 s have passed. */
const MAX_UNWRITTEN = 10_000;
/** A purge looks at some thousand rows; the next one continues after them. */
const PURGE_ROWS = 500;
const PURGE_PAGES = 10;

/**
 * The table `idempotency`. Keys and bodies are stored as HMACs only, and answers, which may hold private
 * data, are sealed: under the key of their subject, and those without one under a key that a wrapping key
 * gives each record.
 */
export const idempotencyRecords = <O extends object>(options: Options): IdempotencyRecords<O> => {
  const { tables, keys, keyring, clock, reserve } = options;
  const nameOf = ({ callerId, method, path, idempotencyKey }: Scope): string =>
    keyring.nameOf('idempotency', callerId, method, path, idempotencyKey);
  const keyOf = async (subject: string): Promise<Uint8Array | undefined> =>
    (await keys.find([subject])).get(subject);
  /** Null where the subject's key was destroyed. */
  const seal = async (key: string, outcome: O, subject: string | null): Promise<string | null> => {
    const bytes = Buffer.from(JSON.stringify(outcome));
    if (!subject) return keyring.seal(PURPOSE, key, bytes);
    const sealing = await keyOf(subject);
    return sealing ? encrypt(sealing, randomBytes(12), key, bytes) : null;
  };
  const opened = async (key: string, sealed: string, subject: string | null): Promise<Buffer | null> => {
    if (!subject) {
      await keyring.learn([sealed]);
      return keyring.open(PURPOSE, key, sealed);
    }
    const sealing = await keyOf(subject);
    return sealing ? decrypt(sealing, key, sealed) : null;
  };
  const open = async (key: string, sealed: string, { subject, reserved }: Row): Promise<Begun<O>> => {
    const text = await opened(key, sealed, subject);
    // What was sealed here is JSON of an O.
    return text ? { kind: 'answered', outcome: JSON.parse(text.toString()), reserved } : { kind: 'redacted' };
  };

  const elapsedSince = (at: string): number => clock.now().getTime() - Date.parse(at);
  const isExpired = ({ startedAt }: Row): boolean => elapsedSince(startedAt) >= LIFE_MS;
  // A start in the future was written before the clock was set back: no request waits for it to come again.
  const isRunning = ({ runningSince }: Row): boolean =>
    runningSince !== null && Math.abs(elapsedSince(runningSince)) < RUNNING_MS;
  const purgePage = createPurge<Row>(tables, TABLE, PURGE_ROWS);
  // Versions by key of this process's claims that ended without a row: it could not be written.
  const unwritten = new Map<string, number>();

  /** Writes a claim's row; null when another request wrote first. */
  const claim = async (key: string, found: number | null, row: Row, takenOver: boolean) => {
    const won = await (found === null
      ? tables.insert(TABLE, key, row)
      : tables.replace(TABLE, key, found, row));
    return won ? { key, version: (found ?? 0) + 1, reserved: row.reserved, takenOver } : null;
  };
  const write = async ({ key, version }: Claim, outcome: O | null, subject: string | null): Promise<void> => {
    const found = await tables.read<Row>(TABLE, key);
    if (found?.version !== version) return;
    const sealed = outcome && (await seal(key, outcome, subject));
    await tables.replace(TABLE, key, version, { ...found.row, runningSince: null, outcome: sealed, subject });
  };
  const end = async (claim: Claim, outcome: O | null, subject: string | null): Promise<void> => {
    try {
      await write(claim, outcome, subject);
    } catch (error) {
      const [oldest] = unwritten.keys();
      if (unwritten.size >= MAX_UNWRITTEN && oldest !== undefined) unwritten.delete(oldest);
      unwritten.set(claim.key, claim.version);
      throw error;
    }
  };

  return {
    begin: async (scope, text) => {
      const key = nameOf(scope);
      const body = keyring.nameOf('idempotency body', text);
      for (;;) {
        const found = await tables.read<Row>(TABLE, key);
        const at = clock.now().toISOString();
        const last = found && !isExpired(found.row) ? found.row : null;
        if (last && last.body !== body) return { kind: 'otherBody' };
        if (last?.outcome) return open(key, last.outcome, last);
        if (last && isRunning(last) && unwritten.get(key) !== found?.version) return { kind: 'running' };
        const fresh = { body, reserved: reserve(), startedAt: at, outcome: null, subject: null };
        const row = { ...(last ?? fresh), runningSince: at };
        const claimed = await claim(key, found?.version ?? null, row, last !== null);
        if (!claimed) continue;
        unwritten.delete(key);
        return { kind: 'claimed', claim: claimed };
      }
    },
    finish: end,
    release: (claimed) => end(claimed, null, null),
    purge: async () => {
      for (let page = 0; page < PURGE_PAGES && (await purgePage(isExpired)); page += 1);
    },
  };
};

const PURPOSE: Purpose = {
  keyOf: (by, key) => Buffer.from(hmacId(by, 'idempotency seal', key), 'hex'),
  contextOf: (key) => key,
};

/** The answers in `idempotency` that no subject's key seals, for a rotation. */
export const sealedOutcomes: SealedTable<Row> = {
  table: TABLE,
  reseal: async (keyring, key, row) => {
    if (row.outcome === null || row.subject) return null;
    const outcome = await keyring.reseal(PURPOSE, key, row.outcome);
    return outcome === null ? null : { ...row, outcome };
  },
};
