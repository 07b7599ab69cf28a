import type { Clock } from '../../kernel/clock.ts';
import { pause } from '../../kernel/signals.ts';
import type { KeyedRow, Tables } from '../documents/port.ts';
import { changeRow, removeRow } from '../documents/rows.ts';
import {
  contextOf,
  REFRESH_MS,
  type SealedTable,
  type StoredKeyring,
  unwrapped,
  WRAPPING_KEYS,
  type WrappedKey,
} from './keyring.ts';
import type { Roots } from './root.ts';

export type RotationPorts = Readonly<{
  tables: Tables;
  keyring: StoredKeyring;
  roots: Roots;
  /** All tables that hold what wrapping keys seal. */
  sealed: readonly SealedTable<never>[];
  clock: Clock;
}>;

/** `resealed`: rows that are under the newest generation by this run; `seen`: rows that it has read. */
export type RotationProgress = Readonly<{ generation: number; resealed: number; seen: number }>;
/** `resumed`: an earlier run had begun it. */
export type Rotation = RotationProgress & Readonly<{ resumed: boolean }>;

const PAGE = 500;
/** Every process seals under the new generation then, unless it stands still. */
const SETTLED_MS = 1.5 * REFRESH_MS;

/**
 * Makes a wrapping key, wraps all of them by the next root, and seals everything under the new one, beside
 * running processes. What was begun before is continued. Null when the signal was aborted. Former wrapping
 * keys stay: a process that stood still may have sealed under one.
 */
export const rotateKeys = async (
  { tables, keyring, roots, sealed, clock }: RotationPorts,
  signal: AbortSignal,
  onProgress: (progress: RotationProgress) => void = () => undefined,
  wait = pause,
): Promise<Rotation | null> => {
  const resumed = [...(await keyring.rows()).values()].some(({ rotatedAt }) => rotatedAt === null);
  const root = roots.next();
  if (!resumed) await keyring.renew(root);
  await wrapAll(tables, roots, await keyring.rows());
  const generation = keyring.newest();
  let [resealed, seen] = [0, 0];
  /** Gives how many rows it changed, or could not since others did. */
  const pass = async (): Promise<number> => {
    let open = 0;
    for (const table of sealed)
      for await (const page of pagesOf(tables, table.table)) {
        if (signal.aborted) return open;
        const outcomes = await Promise.all(page.map((row) => reseal(tables, keyring, table, row)));
        resealed += outcomes.filter((outcome) => outcome === 'resealed').length;
        open += outcomes.filter((outcome) => outcome !== 'new').length;
        seen += page.length;
        onProgress({ generation, resealed, seen });
      }
    return open;
  };
  await pass();
  await wait(SETTLED_MS, signal);
  while (!signal.aborted && (await pass()) > 0);
  if (signal.aborted) return null;
  await changeRow<WrappedKey>(
    tables,
    WRAPPING_KEYS,
    `${generation}`,
    (row) => row && { ...row, rotatedAt: clock.now().toISOString() },
  );
  // A release that knows no generations is refused from now on.
  await removeRow(tables, 'masterKey', 'fingerprint');
  roots.replace();
  return { generation, resealed, seen, resumed };
};

/** Wraps every key by the next root. */
const wrapAll = async (
  tables: Tables,
  roots: Roots,
  rows: ReadonlyMap<string, WrappedKey>,
): Promise<void> => {
  const root = roots.next();
  for (const [name, row] of rows) {
    if (row.root === root.id) continue;
    const wrapped = await root.wrap(contextOf(name), await unwrapped(roots, name, rows));
    await changeRow<WrappedKey>(
      tables,
      WRAPPING_KEYS,
      name,
      (found) => found && { ...found, root: root.id, wrapped },
    );
  }
};

async function* pagesOf(tables: Tables, table: string): AsyncGenerator<readonly KeyedRow<never>[]> {
  let after = '';
  for (;;) {
    const rows = await tables.list<never>(table, { after, limit: PAGE });
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)?.key ?? '';
  }
}

/** `lost`: another process changed the row first. */
const reseal = async (
  tables: Tables,
  keyring: StoredKeyring,
  { table, reseal }: SealedTable<never>,
  { key, row, version }: KeyedRow<never>,
): Promise<'new' | 'resealed' | 'lost'> => {
  const next = await reseal(keyring, key, row);
  if (next === null) return 'new';
  return (await tables.replace(table, key, version, next)) ? 'resealed' : 'lost';
};
