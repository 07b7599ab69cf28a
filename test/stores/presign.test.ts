import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import * as assert from 'uvu/assert';
import { attachment } from '../../stores/objects/contentDisposition.ts';
import type { Credentials } from '../../stores/objects/presign.ts';
import { s3Presigner } from '../../stores/objects/s3/presign.ts';
import { type S3Settings, s3ObjectStore } from '../../stores/objects/s3/store.ts';
import { suite } from '../harness.ts';

const test = suite("presigned requests of the S3 driver, beside the SDK's own");
const rotating = { accessKeyId: 'id-of-tests', secretAccessKey: 'secret', sessionToken: 'to+ken/==' };
const now = new Date('2030-01-02T03:04:05.678Z');
const aws: S3Settings = {
  ...{ region: 'eu-central-1', bucket: 'files', pathStyle: false, clock: { now: () => now } },
  credentials: { accessKeyId: 'id-of-tests', secretAccessKey: 'secret-of-tests' },
};
const near: S3Settings = { ...aws, endpoint: 'http://minio:9000', pathStyle: true };
const places: Readonly<Record<string, S3Settings>> = {
  'a bucket of AWS': aws,
  'a bucket with dots in its name': { ...aws, bucket: 'files.example' },
  'a bucket by path': near,
  'an endpoint with a path': { ...near, endpoint: 'https://gate.example/s3' },
  'a public endpoint': { ...near, publicEndpoint: 'https://up.example' },
  'an access key with slashes': {
    ...aws,
    credentials: { accessKeyId: 'id/of/tests', secretAccessKey: 'secret' },
  },
  'credentials with a session token': { ...aws, credentials: rotating },
  'encryption on the server': { ...aws, serverSideEncryption: 'aws:kms' },
};
const key = "uploads/a b/ü'(1)*!+&=%2F";
const sdkOf = ({ endpoint, publicEndpoint = endpoint, region, pathStyle, credentials }: S3Settings) =>
  new S3Client({
    ...{ region, forcePathStyle: pathStyle, requestChecksumCalculation: 'WHEN_REQUIRED' },
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(publicEndpoint && { endpoint: publicEndpoint }),
    ...(credentials && { credentials }),
  });
/** The parts of a URL, its query in the order of names. */
const partsOf = (url: string) => {
  const { origin, pathname, searchParams } = new URL(url);
  return { origin, pathname, query: [...searchParams].sort() };
};

for (const [name, settings] of Object.entries(places)) {
  const input = { Bucket: settings.bucket, Key: key };
  const encryption = settings.serverSideEncryption && { ServerSideEncryption: settings.serverSideEncryption };
  const dated = { expiresIn: 60, signingDate: now };

  test(`an upload is signed the same: ${name} [uploads-5]`, async () => {
    const store = s3ObjectStore(settings);
    const bound = { mimeType: 'text/plain; charset=utf-8', size: 5, sha256: 'ab'.repeat(32) };
    const signed = await store.signUpload({ key, expiresInSeconds: 60, ...bound });
    const names = ['content-length', ...Object.keys(signed.headers)];
    const put = new PutObjectCommand({
      ...{ ...input, ContentLength: 5, ContentType: bound.mimeType, ...encryption },
      ChecksumSHA256: signed.headers['x-amz-checksum-sha256'],
    });
    const named = { signableHeaders: new Set(names), unhoistableHeaders: new Set(names) };
    const expected = await getSignedUrl(sdkOf(settings), put, { ...dated, ...named });
    assert.equal(partsOf(signed.url), partsOf(expected));
    await store.close();
  });

  test(`a download is signed the same: ${name}`, async () => {
    const store = s3ObjectStore(settings);
    const saved = { fileName: 'Beleg (März)*.pdf', mimeType: 'application/pdf' };
    const { url } = await store.signDownload({ key, expiresInSeconds: 60, ...saved });
    const overrides = {
      ResponseContentDisposition: attachment(saved.fileName),
      ResponseContentType: saved.mimeType,
    };
    const expected = await getSignedUrl(
      sdkOf(settings),
      new GetObjectCommand({ ...input, ...overrides }),
      dated,
    );
    assert.equal(partsOf(url), partsOf(expected));
    await store.close();
  });

  test(`a form states the same: ${name} [uploads-6]`, async () => {
    const ssekms = encryption && { 'x-amz-server-side-encryption': 'aws:kms' };
    const { url, fields } = await createPresignedPost(sdkOf(settings), {
      ...{ ...input, Expires: 60, Fields: { ...ssekms, success_action_status: '200' } },
      Conditions: [
        ['content-length-range', 0, 1_000],
        ['starts-with', '$Content-Type', ''],
      ],
    });
    const { expiration, conditions } = policyOf(fields);
    // The SDK signs at the machine's time.
    const clock = { now: () => new Date(Date.parse(expiration) - 60_000) };
    const store = s3ObjectStore({ ...settings, clock });
    const form = await store.signUpload({ key, expiresInSeconds: 60, maxSize: 1_000 });
    const { Policy, 'X-Amz-Signature': signature, 'Content-Type': type, ...own } = form.fields ?? {};
    const { Policy: _policy, 'X-Amz-Signature': _signature, ...expected } = fields;
    assert.equal([form.method, form.url, type, own], ['POST', url, 'application/octet-stream', expected]);
    assert.match(signature ?? '', /^[0-9a-f]{64}$/);
    const policy = policyOf({ Policy: Policy ?? '' });
    assert.is(Date.parse(policy.expiration), Date.parse(expiration));
    assert.equal(sorted(policy.conditions), sorted(conditions));
    await store.close();
  });
}

const policyOf = ({ Policy }: Readonly<Record<string, string>>) =>
  JSON.parse(Buffer.from(Policy ?? '', 'base64').toString()) as {
    expiration: string;
    conditions: readonly unknown[];
  };
const presignerOf = (client: S3Client, time: () => Date) => {
  const sample = () => getSignedUrl(client, new GetObjectCommand({ Bucket: 'files', Key: 'k' }));
  return s3Presigner({ bucket: 'files', clock: { now: time }, sample, config: client.config });
};
const sorted = (conditions: readonly unknown[]) => conditions.map((one) => JSON.stringify(one)).sort();

test('the key is that of the day and of the credentials at the time', async () => {
  let time = now;
  let credentials: Credentials = { accessKeyId: 'first', secretAccessKey: 'one' };
  const client = sdkOf(aws);
  // About to expire: the client asks for others at each use.
  client.config.credentials = async () => ({ ...credentials, expiration: new Date() });
  const presigner = presignerOf(client, () => time);
  const get = new GetObjectCommand({ Bucket: 'files', Key: 'k' });
  const agree = async () => {
    const request = { method: 'GET', key: 'k', expiresInSeconds: 60, headers: {} } as const;
    const url = await presigner.url({ ...request, query: [['x-id', 'GetObject']] });
    const fixed = sdkOf({ ...aws, credentials });
    assert.equal(partsOf(url), partsOf(await getSignedUrl(fixed, get, { expiresIn: 60, signingDate: time })));
    return new URL(url).searchParams.get('X-Amz-Signature');
  };
  const seen = [await agree()];
  time = new Date(now.getTime() + 86_400_000);
  seen.push(await agree());
  for (const next of [
    { accessKeyId: 'first', secretAccessKey: 'two' },
    { accessKeyId: 'second', secretAccessKey: 'two' },
    { accessKeyId: 'second', secretAccessKey: 'two', sessionToken: 'three' },
  ]) {
    credentials = next;
    seen.push(await agree());
  }
  assert.is(new Set(seen).size, seen.length);
});

test('an address that could not be learned is asked for again', async () => {
  const client = sdkOf(aws);
  let fails = true;
  client.config.credentials = async () => {
    if (fails) throw new Error('no credentials yet');
    return rotating;
  };
  const presigner = presignerOf(client, () => now);
  const form = { key, minSize: 0, maxSize: 1, expiresInSeconds: 60, fields: {} };
  assert.match((await presigner.form(form).catch((error) => error)).message, /no credentials yet/);
  fails = false;
  assert.is((await presigner.form(form)).url, 'https://files.s3.eu-central-1.amazonaws.com/');
});
