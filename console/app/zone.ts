import { keep, kept } from './storage.ts';
import { createStore } from './store.ts';

type Zone = 'local' | 'UTC';

const KEY = 'intake.zone';

/** In which zone times are shown and typed: the browser's own, or UTC. */
export const zone = createStore<Zone>(kept(KEY) === 'UTC' ? 'UTC' : 'local');

zone.subscribe(() => keep(KEY, zone.get() === 'UTC' ? 'UTC' : null));

/** The browser's own zone, such as Europe/Berlin. */
export const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The name of the zone that is chosen. */
export const zoneName = (): string => (zone.get() === 'UTC' ? 'UTC' : ownZone);

/** When today began in the zone that is chosen, in ISO 8601. */
export const startOfToday = (): string => {
  const now = new Date();
  return new Date(
    zone.get() === 'UTC' ? now.setUTCHours(0, 0, 0, 0) : now.setHours(0, 0, 0, 0),
  ).toISOString();
};

/** Takes the other one, also for the next time. */
export const turnZone = (): void => zone.set(zone.get() === 'UTC' ? 'local' : 'UTC');
