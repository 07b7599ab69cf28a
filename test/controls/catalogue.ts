import { eventCatalogue } from '../../schemas/events.ts';
import type { EventCatalogue } from '../../stores/events/catalogued.ts';

/** The events of the service, and the numbers that tests count (numbers.ts), which may look as they like. */
export const catalogueWithNumbers: EventCatalogue = {
  ...eventCatalogue,
  current: (type) => (type === 'Counted' ? 1 : eventCatalogue.current(type)),
  canRead: (type, schema) => type === 'Counted' || eventCatalogue.canRead(type, schema),
  faults: (event) => (event.type === 'Counted' ? [] : eventCatalogue.faults(event)),
};
