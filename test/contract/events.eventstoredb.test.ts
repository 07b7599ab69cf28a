import { eventStoreDb } from '../../stores/events/eventstoredb.ts';
import { suite } from '../harness.ts';
import { startStandIn } from '../standIn/standIn.ts';
import { engineFor } from '../support/engines.ts';
import { eventStoreContract } from './events.ts';

eventStoreContract('eventstoredb, stand-in', async () => {
  const { connectionString, stop } = await startStandIn();
  return { connect: async () => eventStoreDb({ connectionString }), remove: stop };
});

const engine = engineFor('eventstoredb');
if (typeof engine === 'string') suite('eventstoredb').skip('the contract on a server', engine);
else
  eventStoreContract('eventstoredb', async () => {
    const { EVENTSTOREDB_URL: connectionString = '' } = await engine();
    return { connect: async () => eventStoreDb({ connectionString }), remove: async () => undefined };
  });
