import type { Position, Recorded } from '../../../kernel/event.ts';
import { quarantineKey, UNPLACED } from '../fold.ts';
import { foldLog } from '../foldLog.ts';
import { type QuarantinedDocument, quarantinedIn, replaceQuarantined } from '../quarantine.ts';
import { lowest, type ReadModel } from '../readModels.ts';
import type { RebuildPorts } from './rebuild.ts';

/** How many documents were released, and those that threw again. */
export type Retried = Readonly<{ released: number; held: readonly QuarantinedDocument[] }>;

export type RetryPorts = Omit<RebuildPorts, 'onEvent' | 'random'>;

/**
 * Folds the quarantined documents of a live read model again, or one of them, and releases those that no
 * longer throw. Null when it was cancelled: then all stay quarantined.
 */
export const retryQuarantined = async (
  ports: RetryPorts,
  readModel: ReadModel,
  document: string | null,
): Promise<Retried | null> => {
  const { tables } = ports.documents;
  const before: QuarantinedDocument[] = [];
  for await (const quarantined of quarantinedIn(tables, readModel.collection))
    if (document === null || quarantined.key === document) before.push(quarantined);
  if (before.length === 0) return { released: 0, held: [] };
  const only = limitedTo(readModel, new Set(before.map(({ key }) => key)));
  // An event that has no document can't be folded again: that takes a rebuild.
  const again = new Map(before.filter(({ key }) => key.startsWith(UNPLACED)).map((one) => [one.key, one]));
  const quarantinedFrom = new Map<string, string>();
  const onQuarantine = async (quarantined: QuarantinedDocument): Promise<void> => {
    again.set(quarantined.key, quarantined);
    quarantinedFrom.set(quarantineKey(readModel.collection, quarantined.key), quarantined.position);
  };
  const fold = (
    after: Position | null,
    until: Position | 'end',
    under: Pick<RetryPorts, 'fence' | 'signal'>,
  ) =>
    foldLog(ports, [only], {
      ...ports,
      ...under,
      after,
      until,
      quarantinedFrom,
      movesCheckpoints: false,
      onQuarantine,
    });
  const first = await fold(lowest(before.map(({ after }) => after)), 'end', ports);
  if (first === null) return null;
  return ports.withLivePaused(async (fence, signal) => {
    // The live read models include no event beyond the head.
    const head = await ports.log.head();
    if (head !== null && (await fold(first, head, { fence, signal })) === null) return null;
    await replaceQuarantined(tables, before, again);
    return { released: before.length - again.size, held: [...again.values()] };
  });
};

/** The read model with these documents only. */
const limitedTo = ({ projection, collection }: ReadModel, keys: ReadonlySet<string>): ReadModel => ({
  collection,
  projection: {
    ...projection,
    keys: (event: Recorded) => projection.keys(event).filter((key) => keys.has(key)),
  },
});
