import { jsonEvent } from '@eventstore/db-client';
import * as assert from 'uvu/assert';
import { sealedLog } from '../../../../stores/events/codec.ts';
import { parsePosition } from '../../../../stores/events/eventstoredb/positions.ts';
import { hashOf } from '../../../../stores/events/hash.ts';
import { subjectKeys } from '../../../../stores/events/subjectKeys.ts';
import { collect, newCategory, storedEvent } from '../../../contract/events/controls.ts';
import { keyringOf } from '../../../controls/keyring.ts';
import { vendorClient } from '../../../support/vendorClient.ts';
import { countedTables, MASTER_KEY, newEvent } from '../../codecControls.ts';
import { type Place, serverSuite } from './server.ts';

const ODD = {
  z: 1,
  a: { '10': 'ten', '9': 'nine', b: [{ y: null, x: -0.5e-7 }] },
  text: 'é 😀 \u2028 "\\ \u0000',
  __proto__x: 'x',
  empty: [{}, [], ''],
};

/** What lies in the log, on any server. */
export const storedOn = (where: string, place: () => Promise<Place>): void => {
  const { test, opened } = serverSuite(`EventStoreDB driver, ${where}: what is stored`, place);

  test('the server has the JSON as it was given, marked as JSON, with what its own tools look for', async () => {
    const stream = `${newCategory()}1`;
    const event = storedEvent(ODD);
    await opened().store.append(stream, 'none', [event]);
    const { id, type, data } = event;
    assert.equal(await opened().read(stream), [
      {
        id,
        type,
        contentType: 'application/json',
        data: JSON.stringify(data),
        metadata: JSON.stringify(event.metadata),
      },
    ]);
    assert.ok(event.metadata.$correlationId && event.metadata.$causationId);
  });

  test('the chain holds: each event has the hash of the one before, as it is read and as it is followed', async () => {
    const { store } = opened();
    const { tables } = countedTables();
    const log = sealedLog(store, subjectKeys({ tables, keyring: keyringOf(MASTER_KEY) }));
    const stream = `${newCategory()}1`;
    const first = [newEvent(ODD), newEvent({ ...ODD, private: { name: 'x' } })];
    let head = await log.append(stream, null, first, () => 'subject');
    for (let n = 0; n < 3; n += 1) {
      assert.equal((await log.load(stream)).head, head);
      head = await log.append(
        stream,
        head,
        [newEvent({ ...ODD, n }), newEvent({ private: ODD })],
        () => 'subject',
      );
    }
    const read = await collect(store.read(stream));
    for (const [n, event] of read.entries())
      assert.is(event.metadata.prev, n === 0 ? null : hashOf(read[n - 1] as never), `event ${n}`);
    assert.equal(
      (await log.load(stream)).events.map(({ data }) => JSON.stringify(data)).at(-1),
      JSON.stringify({ private: ODD }),
    );
  });

  test('what it has written the vendor’s client reads, and the other way, at the same positions', async () => {
    const { store, connectionString } = opened();
    const client = vendorClient(connectionString);
    const stream = `${newCategory()}1`;
    const [first, second] = [storedEvent({ n: 1, 'a.b': [1.5, null] }), storedEvent({ n: 2 })];
    const mine = await store.append(stream, 'none', [first]);
    const proposed = jsonEvent({ ...second, data: { ...second.data }, metadata: { ...second.metadata } });
    const theirs = await client.appendToStream(stream, proposed, { expectedRevision: 0n });
    const read = await collect(client.readStream(stream));
    await client.dispose();
    assert.equal(
      read.map(({ event }) => [event?.id, event?.type, event?.isJson, event?.data, event?.metadata]),
      [first, second].map(({ id, type, data, metadata }) => [id, type, true, data, metadata]),
    );
    assert.equal(read.at(0)?.event?.position?.commit, BigInt(parsePosition(mine.position).commit));
    const known = await collect(store.read(stream));
    assert.equal(
      known.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
      [first, second],
    );
    assert.is(parsePosition(known.at(1)?.position ?? mine.position).commit, String(theirs.position?.commit));
  });
};
