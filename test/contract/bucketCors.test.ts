import { readFileSync } from 'node:fs';
import { type CORSConfiguration, PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3';
import * as assert from 'uvu/assert';
import { s3ObjectStore } from '../../stores/objects/s3/store.ts';
import { suite } from '../harness.ts';
import { engineFor } from '../support/engines.ts';
import { bound, newKey, upload } from './objects/stage.ts';

const test = suite('the CORS rule of docs/operating.md');
const ORIGIN = 'https://app.example.com';

/** As it stands there. */
const documented = (): CORSConfiguration => {
  const [, json = ''] =
    /```json\n(\{\s+"CORSRules"[^`]*)```/.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
  return JSON.parse(json) as CORSConfiguration;
};

const preflight = (url: string, method: string, headers: readonly string[], origin = ORIGIN) =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': headers.join(','),
    },
  });

const engine = engineFor('s3');
if (typeof engine === 'string') test.skip('lets pages put files into a bucket', engine);
else
  test('lets pages of its origins put files into a bucket, as they are told to, and no others', async () => {
    const settings = await engine();
    const { S3_ENDPOINT: endpoint = '', S3_BUCKET: bucket = '', S3_REGION: region = '' } = settings;
    const credentials = {
      accessKeyId: settings.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: settings.AWS_SECRET_ACCESS_KEY ?? '',
    };
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    const store = s3ObjectStore({ endpoint, bucket, region, credentials, pathStyle: true });
    try {
      await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: documented() }));
      const signed = await store.signUpload(bound(newKey(), 'hello'));
      const asked = await preflight(signed.url, 'PUT', Object.keys(signed.headers));
      assert.ok(asked.ok, `${asked.status}`);
      assert.is(asked.headers.get('access-control-allow-origin'), ORIGIN);
      assert.match(asked.headers.get('access-control-allow-methods') ?? '', /PUT/);
      const allowed = asked.headers.get('access-control-allow-headers')?.toLowerCase() ?? '';
      for (const name of Object.keys(signed.headers))
        assert.ok(allowed.includes(name), `${name} in ${allowed}`);
      assert.is(
        (await upload({ ...signed, headers: { ...signed.headers, origin: ORIGIN } }, 'hello')).status,
        200,
      );
      assert.is((await preflight(signed.url, 'PUT', [], 'https://evil.example')).ok, false);
      assert.is((await preflight(signed.url, 'DELETE', [])).ok, false);
    } finally {
      await store.close();
      client.destroy();
    }
  });
