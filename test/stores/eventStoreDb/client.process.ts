import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { eventStoreDb } from '../../../stores/events/eventstoredb.ts';
import { storedEvent } from '../../contract/events/controls.ts';
import { startStandIn } from '../../standIn/standIn.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';

// Appends a hundred times while the server takes nothing, loses the connection, and says what came of it:
// `node client.process.js client|driver`.
const APPENDS = 100;
const padding = 'x'.repeat(20_000);

const standIn = await startStandIn();
const proxy = await startTcpProxy({ port: standIn.port });
const connectionString = `esdb://${proxy.address}?tls=false`;

const client = () => {
  const connected = EventStoreDBClient.connectionString(connectionString);
  return (stream: string) =>
    connected.appendToStream(stream, jsonEvent({ type: 'Padded', data: { padding } }));
};
const driver = () => {
  const store = eventStoreDb({ connectionString });
  return (stream: string) => store.append(stream, 'none', [storedEvent({ padding })]);
};

const append = process.argv[2] === 'client' ? client() : driver();
await append('first-1');
proxy.stall();
const appends = Array.from({ length: APPENDS }, (_, index) => append(`many-${index}`));
setTimeout(() => {
  proxy.cut();
  void proxy.normal();
}, 300);
const ends = await Promise.allSettled(appends);
// Whatever is thrown where nobody waits comes in the next turn.
await new Promise((resolve) => setTimeout(resolve, 100));
process.stdout.write(`${ends.length} ended\n`, () => process.exit(0));
