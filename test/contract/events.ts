import { appendContract } from './events/append.ts';
import type { Place } from './events/controls.ts';
import { followContract } from './events/follow.ts';
import { raceContract } from './events/races.ts';
import { truncateContract } from './events/truncate.ts';

/**
 * The contract of `EventStore` (stores/events/port.ts): what every driver must pass. `place` makes a log to
 * test on.
 */
export const eventStoreContract = (driver: string, place: () => Promise<Place>): void => {
  appendContract(driver, place);
  raceContract(driver, place);
  followContract(driver, place);
  truncateContract(driver, place);
};
