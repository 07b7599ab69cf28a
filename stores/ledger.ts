import type { Tables } from './documents/port.ts';

/**
 * A subject whose sealing key was destroyed: when (ISO 8601), and by which event. Subjects are identifiers;
 * nothing of a person is in it.
 */
export type Forgotten = Readonly<{ subject: string; at: string; eventId: string }>;

/** An entry after which others are read. */
export type LedgerPosition = string;

const TABLE = 'forgottenSubjects';
const PAGE = 500;

/** Enters a subject, once for each time. */
export const enterForgotten = async (tables: Tables, entry: Forgotten): Promise<void> => {
  await tables.insert(TABLE, positionOf(entry), entry);
};

/** The ledger's entries by their time, after a position, in pages. */
export async function* forgottenPages(
  tables: Tables,
  position: LedgerPosition = '',
): AsyncGenerator<readonly Forgotten[]> {
  let after = position;
  for (;;) {
    const rows = await tables.list<Forgotten>(TABLE, { after, limit: PAGE });
    if (rows.length === 0) return;
    yield rows.map(({ row }) => row);
    after = rows.at(-1)?.key ?? '';
  }
}

/** Where an entry is, or where those of its time begin. */
export const positionOf = ({ at, subject }: Omit<Forgotten, 'eventId'>): LedgerPosition => `${at} ${subject}`;
