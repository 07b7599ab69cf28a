import * as assert from 'uvu/assert';
import { addressOf } from '../../../../stores/events/eventstoredb/address.ts';
import { openPipe } from '../../../../stores/events/eventstoredb/appender.ts';
import { requestEvents } from '../../../../stores/events/eventstoredb/calls.ts';
import { connect } from '../../../../stores/events/eventstoredb/connection.ts';
import { notNow } from '../../../../stores/events/eventstoredb/failures.ts';
import { newestRequest } from '../../../../stores/events/eventstoredb/requests.ts';
import { eventStoreDb } from '../../../../stores/events/eventstoredb.ts';
import { collect, failure, newCategory, numbered, storedEvent } from '../../../contract/events/controls.ts';
import { numbersOf } from '../stage.ts';
import { type Place, serverSuite } from './server.ts';

/** Appending, on any server. */
export const appendingOn = (where: string, place: () => Promise<Place>): void => {
  const { test, opened } = serverSuite(`EventStoreDB driver, ${where}: appending`, place);

  test('a wrong revision says what is there; an append that is too large, or empty, is refused for good', async () => {
    const { store } = opened();
    const stream = `${newCategory()}1`;
    await store.append(stream, 'none', numbered(3));
    const { message } = await failure(store.append(stream, 0, numbered(1)));
    assert.is(message, `stream ${stream} is at revision 2, not 0`);
    const absent = await failure(store.append(`${stream}x`, 4, numbered(1)));
    assert.is(absent.message, `stream ${stream}x is at revision none, not 4`);
    const large = await failure(store.append(stream, 2, [storedEvent({ large: 'x'.repeat(1_100_000) })]));
    assert.equal([large.name, /larger than the event store takes/.test(large.message)], ['Error', true]);
    assert.match((await failure(store.append(stream, 2, []))).message, /at least one event/);
  });

  test('a repetition gives the first answer though others have appended since', async () => {
    const { store } = opened();
    const stream = `${newCategory()}1`;
    const events = numbered(2);
    const first = await store.append(stream, 'none', events);
    await store.append(stream, 1, numbered(1, 2));
    assert.equal(await store.append(stream, 'none', events), first);
    assert.equal(numbersOf(await collect(store.read(stream))), [0, 1, 2]);
  });

  test('a store that is closed says so, and connects no more', async () => {
    const store = eventStoreDb({ connectionString: opened().connectionString });
    await store.append(`${newCategory()}1`, 'none', numbered(1));
    await store.close();
    const calls = [
      () => store.head(),
      () => collect(store.read('a')),
      () => store.append('a', 'none', numbered(1)),
      () => store.truncate('a', 1),
    ];
    for (const call of calls) assert.match((await failure(call())).message, /has been closed/);
    await store.close();
  });

  test('a call on a line that has just been given up fails as an outage, and the next call gets a new line', async () => {
    const closing = new AbortController();
    const { signal: closed } = closing;
    const connection = connect({ address: addressOf(opened().connectionString), answerMs: 3_000, closed });
    const line = await connection.line();
    connection.failed(line, notNow('it broke'));
    for (const call of [
      async () => requestEvents(line, newestRequest(1), 500).next(),
      async () => openPipe(line, () => undefined),
    ])
      assert.is((await failure(call().then(() => undefined))).name, 'StoreUnavailable');
    await connection.retrying((next) => requestEvents(next, newestRequest(1), 3_000).next());
    closing.abort();
  });
};
