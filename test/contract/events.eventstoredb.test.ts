import { eventStoreDb } from '../../stores/events/eventstoredb.ts';
import { startStandIn } from '../standIn/standIn.ts';
import { eventStoreContract } from './events.ts';

eventStoreContract('eventstoredb, stand-in', async () => {
  const { connectionString, stop } = await startStandIn();
  return { connect: async () => eventStoreDb({ connectionString }), remove: stop };
});
