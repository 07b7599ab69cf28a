import * as assert from 'uvu/assert';
import type { SignedUpload } from '../../../stores/objects/port.ts';
import { eventually } from '../../harness.ts';
import { bound, type Declare, newKey, SHORTLY, upload } from './stage.ts';

/** Uploads as forms, which a page can send by itself. */
export const formTests: Declare = (test, { store, bytesOf }) => {
  const sign = (key: string): Promise<SignedUpload> =>
    store().signUpload({ ...bound(key, 'hello'), isForm: true });
  const withFields = (signed: SignedUpload, fields: Readonly<Record<string, string>>): SignedUpload => ({
    ...signed,
    fields: { ...signed.fields, ...fields },
  });

  test('a form is stored as it was signed, with its size and type, and may be sent again [uploads-26]', async () => {
    const key = newKey();
    const signed = await sign(key);
    assert.equal([signed.method, signed.headers], ['POST', {}]);
    for (let round = 0; round < 2; round += 1) {
      const answer = await upload(signed, 'hello');
      assert.is(answer.status, 200, answer.body.toString());
    }
    assert.is(await bytesOf(key), 'hello');
    const head = await store().head(key);
    assert.equal([head?.size, head?.mimeType], [5, 'text/plain']);
  });

  test('a form of no declared file has any type, and any size up to the greatest', async () => {
    const terms = { key: newKey(), expiresInSeconds: 60, maxSize: 100, isForm: true };
    const signed = await store().signUpload(terms);
    assert.is(signed.fields?.['Content-Type'], 'application/octet-stream');
    const png = { 'Content-Type': 'image/png' };
    assert.is((await upload(withFields(signed, png), 'x'.repeat(100))).status, 200);
    assert.is((await store().head(terms.key))?.mimeType, 'image/png');
    assert.is((await upload(signed, 'x'.repeat(101))).status, 400);
    assert.is((await store().head(terms.key))?.size, 100);
  });

  const refused = (
    what: string,
    change: (signed: SignedUpload) => readonly [SignedUpload, string],
    status: readonly number[] = [400, 403],
  ) =>
    test(`a form with another ${what} than signed is refused, and stores nothing [uploads-26]`, async () => {
      const [key, other] = [newKey(), newKey('other')];
      const [request, bytes] = change(await sign(key));
      const moved = request.fields?.key === 'elsewhere' ? withFields(request, { key: other }) : request;
      const answer = await upload(moved, bytes);
      assert.ok(status.includes(answer.status), `answered ${answer.status}: ${answer.body}`);
      assert.equal([await store().head(key), await store().head(other)], [null, null]);
    });
  refused('longer file', (signed) => [signed, 'hello!']);
  refused('shorter file', (signed) => [signed, 'hell']);
  refused('type', (signed) => [withFields(signed, { 'Content-Type': 'text/html' }), 'hello']);
  refused('key', (signed) => [withFields(signed, { key: 'elsewhere' }), 'hello']);
  refused('signature', (signed) => [withFields(signed, { 'X-Amz-Signature': '0'.repeat(64) }), 'hello']);
  refused('policy', (signed) => [withFields(signed, { Policy: 'e30=' }), 'hello']);

  test('a form ends at its time', async () => {
    const signed = await store().signUpload({
      ...{ key: newKey(), expiresInSeconds: SHORTLY, maxSize: 10, isForm: true },
    });
    assert.is((await upload(signed, 'in time')).status, 200);
    await eventually('the form to expire', async () => (await upload(signed, 'late')).status === 403);
  });
};
