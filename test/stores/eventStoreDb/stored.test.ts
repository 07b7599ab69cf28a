import * as assert from 'uvu/assert';
import { sealedLog } from '../../../stores/events/codec.ts';
import { hashOf } from '../../../stores/events/hash.ts';
import { subjectKeys } from '../../../stores/events/subjectKeys.ts';
import { collect, newCategory, storedEvent } from '../../contract/events/controls.ts';
import { suite } from '../../harness.ts';
import { countedTables, MASTER_KEY, newEvent } from '../codecControls.ts';
import { openStage, type Stage } from './stage.ts';

const test = suite('EventStoreDB driver: what is stored');
let stage: Stage;
test.before(async () => {
  stage = await openStage();
});
test.after(() => stage.close());

const ODD = {
  z: 1,
  a: { '10': 'ten', '9': 'nine', b: [{ y: null, x: -0.5e-7 }] },
  text: 'é 😀 \u2028 "\\ \u0000',
  __proto__x: 'x',
  empty: [{}, [], ''],
};

test('the server has the JSON as it was given, marked as JSON, with what its own tools look for', async () => {
  const stream = `${newCategory()}1`;
  const event = storedEvent(ODD);
  await stage.store.append(stream, 'none', [event]);
  const [entry] = stage.standIn.log.stream(stream);
  assert.is(Buffer.from(entry?.data ?? []).toString(), JSON.stringify(event.data));
  assert.is(Buffer.from(entry?.metadata ?? []).toString(), JSON.stringify(event.metadata));
  assert.equal([entry?.contentType, entry?.type, entry?.id], ['application/json', event.type, event.id]);
  const metadata = JSON.parse(Buffer.from(entry?.metadata ?? []).toString());
  assert.equal(
    [metadata.$correlationId, metadata.$causationId],
    [event.metadata.$correlationId, event.metadata.$causationId],
  );
});

test('the chain holds: each event has the hash of the one before, as it is read and as it is followed', async () => {
  const { tables } = countedTables();
  const log = sealedLog(stage.store, subjectKeys({ tables, masterKey: MASTER_KEY }));
  const stream = `${newCategory()}1`;
  let head = await log.append(
    stream,
    null,
    [newEvent(ODD), newEvent({ ...ODD, private: { name: 'x' } })],
    'subject',
  );
  for (let n = 0; n < 3; n += 1) {
    assert.equal((await log.load(stream)).head, head);
    head = await log.append(stream, head, [newEvent({ ...ODD, n }), newEvent({ private: ODD })], 'subject');
  }
  const read = await collect(stage.store.read(stream));
  for (const [n, event] of read.entries())
    assert.is(event.metadata.prev, n === 0 ? null : hashOf(read[n - 1] as never), `event ${n}`);
  assert.equal(
    (await log.load(stream)).events.map(({ data }) => JSON.stringify(data)).at(-1),
    JSON.stringify({ private: ODD }),
  );
});
