import type { Outages } from '../stores/availability/outages.ts';
import type { Capacity } from '../stores/documents/port.ts';

/** Claims nothing while one of these parts is away: each piece of work would fail, and count as an attempt. */
export const whileThere =
  (outages: Outages, parts: readonly string[], capacity: (running: number) => Capacity) =>
  (running: number): Capacity =>
    outages.away().some((part) => parts.includes(part))
      ? { limit: 0, perLane: 0, skip: [] }
      : capacity(running);
