import { SealBroken } from '../kernel/errors.ts';
import type { Recorded } from '../kernel/event.ts';

/**
 * A stream can't be folded from this event on: it breaks its schema, or depends on one of a newer release.
 */
export class EventsNotFoldable extends Error {
  override readonly name = 'EventsNotFoldable';

  constructor({ stream, revision, type, id }: Recorded, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`No state can be made of ${stream} from revision ${revision} (${type}, ${id}) on: ${why}.`, {
      cause,
    });
  }
}

/**
 * The result of `fold`. Throws `EventsNotFoldable`, which names the first event that fails, and `SealBroken`.
 */
export const folded = <T>(events: readonly Recorded[], fold: (events: readonly Recorded[]) => T): T => {
  try {
    return fold(events);
  } catch (error) {
    if (error instanceof SealBroken) throw error;
    const last = events.find((_, index) => fails(() => fold(events.slice(0, index + 1))));
    throw last ? new EventsNotFoldable(last, error) : error;
  }
};

const fails = (run: () => unknown): boolean => {
  try {
    run();
    return false;
  } catch {
    return true;
  }
};
