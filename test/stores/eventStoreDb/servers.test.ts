import * as assert from 'uvu/assert';
import { addressOf } from '../../../stores/events/eventstoredb/address.ts';
import { eventStoreDb } from '../../../stores/events/eventstoredb.ts';
import { failure, newCategory, numbered } from '../../contract/events/controls.ts';
import { suite } from '../../harness.ts';
import { startStandIn } from '../../standIn/standIn.ts';
import { engineFor } from '../../support/engines.ts';
import { appendingOn } from './onServers/appending.ts';
import { breaksOn, unproxied } from './onServers/breaks.ts';
import { followingOn } from './onServers/following.ts';
import type { Place } from './onServers/server.ts';
import { storedOn } from './onServers/stored.ts';
import { truncationOn } from './onServers/truncation.ts';

// What needs no control of the server is tested on the stand-in and on a server itself, which others may use
// meanwhile: that of EVENTSTOREDB_URL, or a container.
const onEveryServer = (where: string, place: () => Promise<Place>): void => {
  for (const declare of [appendingOn, followingOn, storedOn, truncationOn]) declare(where, place);
};

const standIn = async (): Promise<Place> => {
  const { connectionString, stop } = await startStandIn();
  return { connectionString, remove: stop };
};
onEveryServer('stand-in', standIn);
breaksOn('stand-in', standIn);

const test = suite('EventStoreDB driver, server');
const engine = engineFor('eventstoredb');
if (typeof engine === 'string') test.skip('all that needs no control of it', engine);
else {
  const place = async (): Promise<Place> => {
    const { EVENTSTOREDB_URL: connectionString = '' } = await engine();
    return { connectionString, remove: async () => undefined };
  };
  onEveryServer('server', place);
  const url = process.env.EVENTSTOREDB_URL ?? 'kurrentdb://container?tls=false';
  const reason = unproxied(url);
  if (reason === null) breaksOn('server', place);
  else test.skip('connections that break', reason);
  const { tls, user } = addressOf(url);
  if (!tls || !user) test.skip('a wrong password', 'it takes a server with TLS and a user');
  else
    test('a wrong password is refused by name, and not repeated', async () => {
      const connectionString = url.replace(/^(\w+(?:\+discover)?:\/\/[^:@]*):[^@]*@/, '$1:not-this-one@');
      const store = eventStoreDb({ connectionString });
      const { name, message } = await failure(store.append(`${newCategory()}1`, 'none', numbered(1)));
      await store.close();
      assert.is(name, 'StoreMisconfigured');
      assert.match(message, /refuses the user or the password/);
      assert.not.match(message, /not-this-one/);
    });
}
