import * as assert from 'uvu/assert';
import { createWriteBuffer } from '../../../projections/engine/foldLog.ts';
import type { Stored, Write } from '../../../stores/documents/port.ts';
import { position } from '../../contract/documents/stage.ts';
import { suite } from '../../harness.ts';

const test = suite('write buffer');

const write = (collection: string, id: string, n: number, document: object | null): Write => ({
  collection,
  id,
  position: position(n),
  document,
});

/** Read models that hold one document in each collection, and tell what they were asked for. */
const models = () => {
  const asked: string[] = [];
  const stored = async <D>(collection: string, ids: readonly string[]) => {
    asked.push(...ids.map((id) => `${collection}/${id}`));
    const kept = { id: 'kept', position: position(1), document: { from: 'store' } as D };
    return new Map<string, Stored<D>>(ids.includes('kept') ? [['kept', kept]] : []);
  };
  return { asked, stored };
};

test('buffered writes take precedence over stored documents, deletion markers too', async () => {
  const { asked, stored } = models();
  const buffer = createWriteBuffer({ stored });
  buffer.add([write('a', 'x', 2, { v: 1 }), write('a', 'gone', 3, null), write('b', 'x', 4, { v: 'b' })]);
  const found = await buffer.stored<object>('a', ['x', 'gone', 'kept', 'absent']);
  assert.equal([...found].map(([id, one]) => [id, one.position, one.document]).sort(), [
    ['gone', position(3), null],
    ['kept', position(1), { from: 'store' }],
    ['x', position(2), { v: 1 }],
  ]);
  assert.equal(asked, ['a/kept', 'a/absent']);
});

test('each document is written once, as of the last page; a flush empties the buffer', async () => {
  const buffer = createWriteBuffer(models());
  buffer.add([write('a', 'x', 1, { v: 1 }), write('a', 'y', 2, { v: 1 })]);
  buffer.add([write('a', 'x', 3, { v: 2 }), write('b', 'x', 4, { v: 3 })]);
  assert.equal(buffer.flush(), [
    write('a', 'x', 3, { v: 2 }),
    write('a', 'y', 2, { v: 1 }),
    write('b', 'x', 4, { v: 3 }),
  ]);
  assert.equal(buffer.flush(), []);
});

test('the documents written last are kept, as many as it is told, and older ones are read again', async () => {
  const { asked, stored } = models();
  const buffer = createWriteBuffer({ stored }, 1);
  for (const id of ['x', 'y', 'z']) {
    buffer.add([write('a', id, 1, { v: id })]);
    buffer.flush();
  }
  assert.equal([...(await buffer.stored('a', ['x', 'y', 'z'])).keys()], ['z']);
  assert.equal(asked, ['a/x', 'a/y']);
});
