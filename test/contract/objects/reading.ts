import { createHash, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { httpSend } from '../httpSend.ts';
import { bound, type Declare, newKey } from './stage.ts';

/** What is read is what was put there, whole. */
export const readingTests: Declare = (test, { store, put, bytesOf, etagOf }) => {
  test('an empty file is a file', async () => {
    const key = newKey();
    await put(key, '', bound(key, ''));
    assert.is((await store().head(key))?.size, 0);
    assert.is(await bytesOf(key), '');
  });

  test('the ETag changes with the bytes and only with them', async () => {
    const key = newKey();
    await put(key, 'one');
    const first = await etagOf(key);
    await put(key, 'two');
    assert.is.not(await etagOf(key), first);
    await put(key, 'one');
    assert.is(await etagOf(key), first);
  });

  test('megabytes come back as they went in', async () => {
    const key = newKey();
    const bytes = Buffer.alloc(3_000_001, createHash('sha256').update('seed').digest());
    await put(key, bytes);
    const stream = await store().read(key);
    assert.ok(stream && (await buffer(stream)).equals(bytes));
  });

  test('the beginning of a file is read alone', async () => {
    const [key, short] = [newKey(), newKey()];
    await put(key, Buffer.concat([Buffer.from('begin'), Buffer.alloc(300_000, 'x')]));
    await put(short, 'abc');
    const begin = async (of: string, length: number) => {
      const stream = await store().read(of, length);
      return stream && (await buffer(stream)).toString();
    };
    assert.equal(
      [await begin(key, 5), await begin(short, 5), await begin(newKey(), 5)],
      ['begin', 'abc', null],
    );
  });

  for (const name of ['a b', 'ü€😀', 'a+b', '100%', 'a&b=c?d#e', "(it's*)!", 'a//b', '~-_.'])
    test(`a key may hold ${name}`, async () => {
      const [key, copy] = [newKey(name), newKey(`${name}.copy`)];
      await put(key, name, bound(key, name));
      assert.is(await bytesOf(key), name);
      assert.ok(await store().copy(key, await etagOf(key), copy, 'text/plain'));
      const terms = { key: copy, expiresInSeconds: 60, fileName: name, mimeType: 'text/plain' };
      const { body } = await httpSend(await store().signDownload(terms));
      assert.is(body.toString(), name);
    });

  test('what the service puts is read as it is, and again once it is replaced', async () => {
    const key = newKey();
    for (const text of ['first', 'the second', '']) {
      await store().put(key, Buffer.from(text), 'application/octet-stream');
      assert.equal([await bytesOf(key), (await store().head(key))?.size], [text, text.length]);
    }
  });

  test('head and read give null for an absent key', async () => {
    assert.is(await store().head(newKey()), null);
    assert.is(await store().read(newKey()), null);
  });

  test('a reader that stops early disturbs no other', async () => {
    const key = newKey();
    await put(key, Buffer.alloc(2_000_000, 'x'));
    for (let round = 0; round < 80; round += 1) (await store().read(key))?.destroy();
    assert.is((await store().head(key))?.size, 2_000_000);
  });

  test('while a key is overwritten all the time, each reader gets one upload whole', async () => {
    const key = newKey();
    const bodies = ['a', 'b', 'c', 'd'].map((letter, at) => letter.repeat(1_000_000 + at));
    await put(key, bodies[0] ?? '');
    const seen = new Set<string>();
    let isWriting = true;
    const writing = Promise.all([...bodies, ...bodies].map((body) => put(key, body))).finally(() => {
      isWriting = false;
    });
    do seen.add((await bytesOf(key)) ?? 'gone');
    while (isWriting);
    await writing;
    for (const body of seen) assert.ok(bodies.includes(body), `a mixture of ${body.length} bytes`);
  });

  test('uploads are listed in order, from behind a key, so many at the most, and no more once they are removed', async () => {
    const ulids = ['a', 'b', 'c'].map(
      (letter) => `0${letter}${randomUUID().replaceAll('-', '').slice(0, 24)}`,
    );
    const [first = '', second = '', third = ''] = ulids;
    const keys = [
      `uploads/${first}/fil_2`,
      `uploads/${first}/fil_1`,
      `uploads/${third}/f`,
      `uploads/${second}/f`,
    ];
    const sorted = keys.toSorted();
    const listed = async () => {
      const found: string[] = [];
      for (let after = ''; ; after = found.at(-1) ?? '') {
        const page = await store().uploads(after, 2);
        assert.ok(page.length <= 2);
        found.push(...page);
        if (page.length < 2) return found.filter((key) => ulids.some((ulid) => key.includes(ulid)));
      }
    };
    for (const key of [...keys, newKey()]) await put(key, 'x');
    assert.equal(await listed(), sorted);
    assert.equal(await store().uploads(`uploads/${first}/fil_1`, 1), [`uploads/${first}/fil_2`]);
    for (const key of keys.slice(0, 2)) await store().remove(key);
    assert.equal(await listed(), sorted.slice(2));
    await put(keys[0] ?? '', 'again');
    assert.equal((await listed())[0], keys[0]);
    for (const key of keys) await store().remove(key);
  });

  test('remove removes, also what is gone already', async () => {
    const key = newKey();
    await put(key, 'x');
    for (let round = 0; round < 2; round += 1) await store().remove(key);
    assert.is(await store().head(key), null);
    assert.is(await store().read(key), null);
  });
};
