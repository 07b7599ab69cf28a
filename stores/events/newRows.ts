import type { StoredEvent } from './port.ts';

/** An event as a driver writes it: its parts are JSON. */
export type NewRow = Readonly<{ id: string; type: string; data: string; metadata: string }>;

/** The rows of an append. Throws for one without events, or with one id twice. */
export const newRows = (events: readonly StoredEvent[]): readonly NewRow[] => {
  if (events.length === 0) throw new Error('an append needs at least one event');
  if (events.length > 1 && new Set(events.map((event) => event.id)).size < events.length)
    throw new Error('two events of one append have the same id');
  return events.map(({ id, type, data, metadata }) => ({
    id,
    type,
    data: JSON.stringify(data),
    metadata: JSON.stringify(metadata),
  }));
};
