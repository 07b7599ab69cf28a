import { beyondTheContract } from './events/sqlite.ts';
import { sqlitePlace } from './events/sqlitePlace.ts';
import { severalProcesses } from './events/sqliteProcesses.ts';
import { eventStoreContract } from './events.ts';

eventStoreContract('sqlite', async () => sqlitePlace());
beyondTheContract();
severalProcesses();
