import { eventStoreDb } from '../../../stores/events/eventstoredb.ts';
import { storedEvent } from '../../contract/events/controls.ts';
import { startStandIn } from '../../standIn/standIn.ts';
import { followInBackground } from './stage.ts';

// Resets all calls of a connection in the turn in which an append has been queued on it and not been sent:
// `node reset.process.js`.
const standIn = await startStandIn();
const store = eventStoreDb({ connectionString: standIn.connectionString });
const following = followInBackground(store, 'reset-');
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};
await store.append('reset-1', 'none', [storedEvent()]);
await until(following.isLive);
void standIn.stop();
const append = store.append('reset-1', 0, [storedEvent()]);
await standIn.start();
await append;
await until(() => following.events.length === 2);
process.stdout.write('alive\n', () => process.exit(0));
