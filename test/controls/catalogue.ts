import { InvalidEvent } from '../../kernel/errors.ts';
import type { Recorded } from '../../kernel/event.ts';
import { eventCatalogue } from '../../schemas/events.ts';
import type { EventCatalogue } from '../../stores/events/catalogued.ts';
import type { SealedLog } from '../../stores/events/codec.ts';

/** The events of the service, and the numbers that tests count (numbers.ts), which may look as they like. */
export const catalogueWithNumbers: EventCatalogue = {
  ...eventCatalogue,
  current: (type) => (type === 'Counted' ? 1 : eventCatalogue.current(type)),
  canRead: (type, schema) => type === 'Counted' || eventCatalogue.canRead(type, schema),
  faults: (event) => (event.type === 'Counted' ? [] : eventCatalogue.faults(event)),
};

/** A log that refuses to read a known event that breaks its schema. Throws `InvalidEvent`. */
export const checkedReads = (log: SealedLog, { canRead, faults }: EventCatalogue): SealedLog => {
  const check = (events: readonly Recorded[]): void => {
    for (const event of events) {
      const found = canRead(event.type, event.metadata.schema) ? faults(event) : [];
      if (found.length > 0) throw new InvalidEvent(event.type, event.stream, found);
    }
  };
  return {
    ...log,
    load: async (stream) => {
      const loaded = await log.load(stream);
      check(loaded.events);
      return loaded;
    },
    async *follow(after, options) {
      for await (const page of log.follow(after, options)) {
        check(page.events);
        yield page;
      }
    },
  };
};
