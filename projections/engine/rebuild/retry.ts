import type { Position } from '../../../kernel/event.ts';
import { quarantineKey, UNPLACED } from '../fold.ts';
import { foldLog } from '../foldLog.ts';
import { type QuarantinedDocument, quarantinedIn, replaceQuarantined } from '../quarantine.ts';
import type { ReadModel } from '../readModels.ts';
import type { Rebuilding } from './rebuild.ts';

/** What became of the documents that were held: how many go on, and those that threw again. */
export type Retried = Readonly<{ released: number; held: readonly QuarantinedDocument[] }>;

type Retrying = Omit<Rebuilding, 'tell' | 'random'>;

/**
 * Folds the quarantined documents of a live collection again, each from the event that it was held at, and lets those go on that no longer throw. Null when it was
 * cancelled: then they are held as before.
 */
export const retryQuarantined = async (retrying: Retrying, target: ReadModel): Promise<Retried | null> => {
  const { tables } = retrying.documents;
  const before: QuarantinedDocument[] = [];
  for await (const quarantined of quarantinedIn(tables, target.collection)) before.push(quarantined);
  if (before.length === 0) return { released: 0, held: [] };
  const keys = new Set(before.map(({ key }) => key));
  const { projection } = target;
  const only = {
    ...target,
    projection: {
      ...projection,
      keys: (event: Parameters<typeof projection.keys>[0]) =>
        projection.keys(event).filter((key) => keys.has(key)),
    },
  };
  // What could not be placed has no document to fold it into: that takes a rebuild.
  const again = new Map(before.filter(({ key }) => key.startsWith(UNPLACED)).map((one) => [one.key, one]));
  const held = new Map<string, string>();
  const onQuarantine = async (quarantined: QuarantinedDocument): Promise<void> => {
    again.set(quarantined.key, quarantined);
    held.set(quarantineKey(target.collection, quarantined.key), quarantined.position);
  };
  const fold = (after: Position | null, until: Position | null, by: Pick<Retrying, 'fence' | 'signal'>) =>
    foldLog(retrying, [only], {
      ...retrying,
      ...by,
      after,
      until,
      held,
      moves: false,
      onPage: nothing,
      onQuarantine,
    });
  const first = await fold(earliest(before), null, retrying);
  if (first === null) return null;
  return retrying.hold(async (fence, signal) => {
    // Those that hold them now have read no further than the log is long.
    const head = await retrying.log.head();
    if (head !== null && (await fold(first, head, { fence, signal })) === null) return null;
    await replaceQuarantined(tables, before, again);
    return { released: before.length - again.size, held: [...again.values()] };
  });
};

const nothing = async (): Promise<void> => undefined;

const earliest = (quarantined: readonly QuarantinedDocument[]): Position | null => {
  const positions = quarantined.map(({ after }) => after);
  return positions.includes(null) ? null : (positions.toSorted()[0] ?? null);
};
