import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { engines } from '../support/ownEngines.ts';
import { sendFile } from '../support/sendFile.ts';
import { sharedService, startService } from '../support/service.ts';

const test = suite('pages that use the storage');
const LISTED = 'https://app.example.com';
const FOREIGN = 'https://evil.example';
const { content, mimeType } = receiptText();

const preflight = (url: string, origin: string, method: string): Promise<Response> =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type,x-amz-checksum-sha256',
    },
  });
const sendFrom = (origin: string, upload: Parameters<typeof sendFile>[0]): Promise<Response> =>
  sendFile({ ...upload, headers: { ...upload.headers, origin } }, content, mimeType);
const allowed = (response: Response): string | null => response.headers.get('access-control-allow-origin');

if (engines.includes('files'))
  test.skip('pages of listed origins only', 'a bucket has a CORS rule of its own');
else {
  test('pages of listed origins may send files, by PUT and by form; those of others may not [uploads-27]', async () => {
    const service = await startService({ STORAGE_ORIGINS: `${LISTED},http://localhost:5173` });
    try {
      const { api } = await service.company();
      for (const input of [{}, { uploadMethod: 'POST' }]) {
        const [first, second] = (await api.open([], input)).uploads;
        const ask = await preflight(first.url, LISTED, first.method);
        assert.equal([ask.status, allowed(ask), ask.headers.get('vary')], [204, LISTED, 'Origin']);
        assert.ok(ask.headers.get('access-control-allow-methods')?.includes(first.method));
        const put = await sendFrom(LISTED, first);
        assert.equal([put.status, allowed(put)], [200, LISTED]);
        const foreign = await preflight(second.url, FOREIGN, second.method);
        assert.equal([foreign.status, allowed(foreign)], [403, null]);
        const refused = await sendFrom(FOREIGN, second);
        assert.equal([refused.status, allowed(refused)], [403, null]);
        assert.match(await refused.text(), /<Code>AccessForbidden</);
        assert.is((await sendFile(second, content, mimeType)).status, 200, 'a program sends no origin');
      }
    } finally {
      await service.close();
    }
  });

  test('without a list pages of any origin may [uploads-27]', async () => {
    const { api } = await (await sharedService()).company();
    const [upload] = (await api.open([])).uploads;
    assert.equal(allowed(await preflight(upload.url, FOREIGN, 'PUT')), '*');
    const put = await sendFrom(FOREIGN, upload);
    assert.equal([put.status, allowed(put)], [200, '*']);
  });
}
