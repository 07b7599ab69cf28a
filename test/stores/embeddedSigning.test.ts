import * as assert from 'uvu/assert';
import { signature, signingKey, textSigner } from '../../stores/objects/sigv4.ts';
import { httpSend } from '../contract/httpSend.ts';
import { suite } from '../harness.ts';
import { BUCKET, codeOf, type Fixture, startEmbedded } from './embeddedFixture.ts';
import { headerSigned, querySigned, type Terms } from './selfSigned.ts';

const vectors = suite('embedded objects: the examples of the S3 documentation');
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const TIME = '20130524T000000Z';
const examples: readonly [string, string, Record<string, string>, Record<string, string>, string, string][] =
  [
    [
      'GET',
      '/test.txt',
      {},
      { range: 'bytes=0-9', 'x-amz-content-sha256': EMPTY, 'x-amz-date': TIME },
      EMPTY,
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'PUT',
      '/test$file.text',
      {},
      {
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
        'x-amz-date': TIME,
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      },
      '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
    [
      'GET',
      '/',
      { lifecycle: '' },
      { 'x-amz-content-sha256': EMPTY, 'x-amz-date': TIME },
      EMPTY,
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      'GET',
      '/',
      { 'max-keys': '2', prefix: 'J' },
      { 'x-amz-content-sha256': EMPTY, 'x-amz-date': TIME },
      EMPTY,
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
    [
      'GET',
      '/test.txt',
      {
        'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
        'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
        'X-Amz-Date': TIME,
        'X-Amz-Expires': '86400',
        'X-Amz-SignedHeaders': 'host',
      },
      {},
      'UNSIGNED-PAYLOAD',
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    ],
  ];
for (const [method, path, query, headers, payloadHash, expected] of examples)
  vectors(`${method} ${path} ${Object.keys(query)}`, () => {
    const all = { ...headers, host: 'examplebucket.s3.amazonaws.com' };
    const scope = { date: '20130524', region: 'us-east-1', service: 's3' };
    const signed = signature(
      textSigner(signingKey('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', scope)),
      scope,
      TIME,
      {
        ...{ method, path, payloadHash, signedHeaders: Object.keys(all).sort() },
        ...{ query: new Map(Object.entries(query)), headers: new Map(Object.entries(all)) },
      },
    );
    assert.is(signed, expected);
  });

const test = suite('embedded objects: refused even with the key');
let fixture: Fixture;
test.before(async () => {
  fixture = await startEmbedded();
});
test.after(() => fixture.close());

const put = (terms: Partial<Terms> = {}): Terms => ({ method: 'PUT', key: 'k', body: 'hello', ...terms });
const get = (terms: Partial<Terms> = {}): Terms => ({ method: 'GET', key: 'k', ...terms });
const MD5 = 'XUFAKrxLKna5cZ2REBfFkg==';
const inHeader: Readonly<Record<string, readonly [Terms, string, string?]>> = {
  'a payload hash of other bytes': [put({ payloadHash: EMPTY }), 'XAmzContentSHA256Mismatch'],
  'a payload hash of other bytes on GET': [get({ payloadHash: 'a'.repeat(64) }), 'XAmzContentSHA256Mismatch'],
  'a payload hash that is not valid': [put({ payloadHash: 'abc' }), 'InvalidArgument'],
  'a body in signed chunks': [put({ payloadHash: 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' }), 'NotImplemented'],
  'a body with a trailer': [put({ payloadHash: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' }), 'NotImplemented'],
  'a CRC32 of other bytes': [put({ headers: { 'x-amz-checksum-crc32': 'AAAAAA==' } }), 'BadDigest'],
  'a SHA-1 that is not valid': [
    put({ headers: { 'x-amz-checksum-sha1': 'qvTGHdzF6KLavt4PO0gs2a6pQ00A' } }),
    'InvalidRequest',
  ],
  'a checksum that is not known': [
    put({ headers: { 'x-amz-checksum-crc32c': 'AAAAAA==' } }),
    'NotImplemented',
  ],
  metadata: [put({ headers: { 'x-amz-meta-a': 'b' } }), 'NotImplemented'],
  'encryption with a key of the client': [
    put({ headers: { 'x-amz-server-side-encryption-customer-algorithm': 'AES256' } }),
    'NotImplemented',
  ],
  'a write under a condition': [put({ headers: { 'if-none-match': '*' } }), 'NotImplemented'],
  'a compressed body': [put({ headers: { 'content-encoding': 'gzip' } }), 'NotImplemented'],
  'a list of the bucket': [get({ key: '', query: { 'list-type': '2' } }), 'NotImplemented'],
  'the bucket removed': [{ method: 'DELETE', key: '' }, 'NotImplemented'],
  'a tag': [put({ query: { tagging: '' } }), 'NotImplemented'],
  'another method': [{ method: 'PATCH', key: 'k' }, 'MethodNotAllowed'],
  'a body with GET': [get({ body: 'x', headers: { 'content-length': '1' } }), 'InvalidRequest'],
  'another region': [get({ region: 'eu-west-1' }), 'AuthorizationHeaderMalformed'],
  'an unsigned payload hash': [get({ signedHeaders: ['host', 'x-amz-date'] }), 'AccessDenied'],
  'no signed host': [get({ signedHeaders: ['x-amz-content-sha256', 'x-amz-date'] }), 'AccessDenied'],
  'a signature of 16 minutes ago': [get(), 'RequestTimeTooSkewed', '-960000'],
  'a signature of the next 16 minutes': [get(), 'RequestTimeTooSkewed', '960000'],
  'a time that is not valid': [get(), 'AuthorizationHeaderMalformed', 'NaN'],
  'an inline answer': [get({ query: { 'response-content-disposition': 'inline' } }), 'InvalidArgument'],
  'a split answer': [
    get({ query: { 'response-content-type': 'text/plain\r\nSet-Cookie: a=b' } }),
    'InvalidArgument',
  ],
  'a copy from another bucket': [
    put({ body: '', headers: { 'x-amz-copy-source': '/other/k' } }),
    'NoSuchBucket',
  ],
  'a copy of a version': [
    put({ body: '', headers: { 'x-amz-copy-source': `${BUCKET}/k?versionId=1` } }),
    'NotImplemented',
  ],
  'a copy with a body': [put({ headers: { 'x-amz-copy-source': `${BUCKET}/k` } }), 'InvalidRequest'],
  'a type that is not valid': [put({ headers: { 'content-type': 'x'.repeat(256) } }), 'InvalidArgument'],
};
for (const [name, [terms, code, offset]] of Object.entries(inHeader))
  test(`refused: ${name}`, async () => {
    const shifted = new Date(Date.now() + Number(offset ?? 0));
    const timestamp = offset === 'NaN' ? 'someday' : shifted.toISOString().replace(/[-:]|\.\d+/g, '');
    if (code !== 'BadDigest') await fixture.put('k', 'as before');
    const before = await fixture.get('k');
    const { status, body } = await headerSigned(fixture, terms, timestamp);
    assert.is(codeOf(body.toString(), status), code);
    assert.is(await fixture.get('k'), before);
    assert.equal(fixture.reports, []);
  });

test('real payload hashes and checksums are accepted', async () => {
  const headers = { 'content-md5': MD5, 'x-amz-checksum-crc32': 'NhCmhg==' };
  const { status, body } = await headerSigned(fixture, put({ headers }));
  assert.is(status, 200, body.toString());
  assert.is(await fixture.get('k'), 'hello');
});

for (const [name, terms, expires, code] of [
  ['an expiry of 8 days', put(), '691200', 'AuthorizationQueryParametersError'],
  ['no expiry', put(), '0', 'AuthorizationQueryParametersError'],
  ['an expiry in words', put(), '60s', 'AuthorizationQueryParametersError'],
  ['no host', put({ signedHeaders: ['content-length'] }), '60', 'AccessDenied'],
  [
    'a hoisted checksum of no bytes',
    put({ query: { 'x-amz-checksum-crc32': 'AAAAAA==' } }),
    '60',
    'BadDigest',
  ],
  ['a hoisted access list', put({ query: { 'x-amz-acl': 'public-read' } }), '60', 'NotImplemented'],
  [
    'a longer body than the payload hash',
    put({ payloadHash: EMPTY, query: { 'X-Amz-Content-Sha256': EMPTY } }),
    '60',
    'XAmzContentSHA256Mismatch',
  ],
] as const)
  test(`refused in a signed URL: ${name}`, async () => {
    await fixture.put('k', 'as before');
    const { status, body } = await httpSend(querySigned(fixture, terms, expires));
    assert.is(codeOf(body.toString(), status), code);
    assert.is(await fixture.get('k'), 'as before');
  });

test('a signed URL of our own making is accepted otherwise', async () => {
  assert.is((await httpSend(querySigned(fixture, put(), '604800'))).status, 200);
  assert.is(await fixture.get('k'), 'hello');
});
