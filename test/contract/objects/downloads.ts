import * as assert from 'uvu/assert';
import { eventually } from '../../harness.ts';
import { httpSend } from '../httpSend.ts';
import { type Declare, newKey, SHORTLY } from './stage.ts';

/** What a signed download gives. */
export const downloadTests: Declare = (test, { store, put }) => {
  test('a download is saved under its name with its type, never shown [uploads-15]', async () => {
    const key = newKey();
    await put(key, '<script>1</script>', { mimeType: 'text/html' });
    const terms = { key, expiresInSeconds: 60, fileName: 'Beleg "März"/2.html', mimeType: 'text/html' };
    const signed = await store().signDownload(terms);
    assert.equal([signed.method, signed.headers], ['GET', {}]);
    const { status, headers } = await httpSend(signed);
    assert.is(status, 200);
    assert.is(headers['content-type'], 'text/html');
    assert.is(
      headers['content-disposition'],
      `attachment; filename="Beleg _M_rz__2.html"; filename*=UTF-8''Beleg%20_M%C3%A4rz__2.html`,
    );
  });

  test('a download URL ends at its time', async () => {
    const key = newKey();
    await put(key, 'x');
    const terms = { key, expiresInSeconds: SHORTLY, fileName: 'x', mimeType: 'text/plain' };
    const signed = await store().signDownload(terms);
    assert.is((await httpSend(signed)).status, 200);
    await eventually('the URL to expire', async () => (await httpSend(signed)).status === 403);
  });
};
