import * as assert from 'uvu/assert';
import { type Declare, newKey } from './stage.ts';

/** Copies of the very bytes that were checked. */
export const copyTests: Declare = (test, { store, put, bytesOf, etagOf }) => {
  test('copy takes the bytes, gives the type, leaves the source, and may be repeated', async () => {
    const [source, target] = [newKey(), newKey()];
    await put(source, 'evidence');
    const etag = await etagOf(source);
    for (let round = 0; round < 2; round += 1)
      assert.is(await store().copy(source, etag, target, 'image/png'), true);
    assert.is(await bytesOf(target), 'evidence');
    assert.is((await store().head(target))?.mimeType, 'image/png');
    assert.is(await bytesOf(source), 'evidence');
    await put(source, 'swapped');
    assert.is(await bytesOf(target), 'evidence');
  });

  test('copy says false, and copies nothing, when the source has changed or is gone', async () => {
    const [source, target] = [newKey(), newKey()];
    await put(source, 'checked');
    const etag = await etagOf(source);
    await put(source, 'swapped');
    assert.is(await store().copy(source, etag, target, 'text/plain'), false);
    await store().remove(source);
    assert.is(await store().copy(source, etag, target, 'text/plain'), false);
    assert.is(await store().head(target), null);
  });
};
