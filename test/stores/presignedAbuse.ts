import { httpSend, type Sending } from '../contract/httpSend.ts';
import { BUCKET, codeOf, type Fixture, rawSend } from './embeddedFixture.ts';

/** What an abuser holds: an upload URL for `a/target` bound to "hello", and a download URL for `b/victim`. */
export type Held = Readonly<{ fixture: Fixture; upload: Sending; download: Sending }>;
type Abuse = (held: Held) => Promise<string>;

const send = async (sending: Sending): Promise<string> => {
  const { status, body } = await httpSend(sending);
  return status < 400 ? `accepted: ${status}` : codeOf(body.toString(), status);
};
const raw = async ({ fixture, upload }: Held, lines: readonly string[], body: string, half = false) => {
  const { pathname, search } = new URL(upload.url);
  const head = [`PUT ${pathname}${search} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n');
  const answer = await rawSend(fixture.port, head + body, half);
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
  return status === 200 ? 'accepted: 200' : codeOf(answer, status);
};
const lines = (sending: Sending): string[] =>
  Object.entries(sending.headers ?? {}).map(([name, value]) => `${name}: ${value}`);

/** The upload URL, with its text changed. */
const uploadAs =
  (change: (url: string) => string): Abuse =>
  ({ upload }) =>
    send({ ...upload, url: change(upload.url) });
const uploadWith =
  (headers: Record<string, string>, body?: string): Abuse =>
  ({ upload }) =>
    send({ ...upload, headers: { ...upload.headers, ...headers }, ...(body !== undefined && { body }) });
const uploadWithout =
  (name: string): Abuse =>
  ({ upload }) => {
    const { [name]: _removed, ...headers } = upload.headers ?? {};
    return send({ ...upload, headers: { 'content-length': '5', ...headers } });
  };
const uploadBy =
  (method: string): Abuse =>
  ({ upload }) =>
    send({ ...upload, method });
const downloadAs =
  (change: (url: string) => string, sending: Partial<Sending> = {}): Abuse =>
  ({ download }) =>
    send({ ...download, ...sending, url: change(download.url) });
const path = (to: string) => (url: string) => url.replace('/a/target?', to);
const parameter = (name: string, value: string) => (url: string) =>
  url.replace(new RegExp(`${name}=[^&]*`), `${name}=${value}`);
const later =
  (ms: number): Abuse =>
  async ({ fixture, upload }) => {
    fixture.time.ahead = ms;
    try {
      return await send(upload);
    } finally {
      fixture.time.ahead = 0;
    }
  };

const DENIED = 'SignatureDoesNotMatch';

/** Each abuse and the code it must be refused with. */
export const abuses: Readonly<Record<string, readonly [Abuse, string]>> = {
  'another key': [uploadAs(path('/b/victim?')), DENIED],
  'a longer key': [uploadAs(path('/a/target2?')), DENIED],
  'a key in another case': [uploadAs(path('/a/Target?')), DENIED],
  'a trailing slash': [uploadAs(path('/a/target/?')), DENIED],
  'a doubled slash': [uploadAs(path('//a/target?')), DENIED],
  'encoded traversal': [uploadAs(path('/a/..%2f..%2f..%2f..%2ftmp%2fowned?')), DENIED],
  'traversal in raw segments': [uploadAs(path('/a/%2e%2e/%2e%2e/owned?')), DENIED],
  'doubly encoded traversal': [uploadAs(path('/a/..%252f..%252fowned?')), DENIED],
  'a NUL behind the key': [uploadAs(path('/a/target%00.txt?')), 'InvalidURI'],
  'a key that is no UTF-8': [uploadAs(path('/a/%ff?')), 'InvalidURI'],
  'a broken escape': [uploadAs(path('/a/%zz?')), 'InvalidURI'],
  'a key over 1024 bytes': [uploadAs(path(`/${'k'.repeat(1025)}?`)), 'KeyTooLongError'],
  'another bucket': [uploadAs((url) => url.replace(`/${BUCKET}/`, '/other/')), DENIED],
  'the bucket itself': [uploadAs(path('?')), DENIED],
  GET: [uploadBy('GET'), DENIED],
  HEAD: [uploadBy('HEAD'), '403'],
  DELETE: [uploadBy('DELETE'), DENIED],
  POST: [uploadBy('POST'), DENIED],
  PATCH: [uploadBy('PATCH'), DENIED],
  'a longer body': [uploadWith({ 'content-length': '6' }, 'hello!'), DENIED],
  'a shorter body': [uploadWith({ 'content-length': '4' }, 'hell'), DENIED],
  'another body of that size': [uploadWith({}, 'hellO'), 'BadDigest'],
  'no length, in chunks': [
    (held) =>
      raw(
        held,
        [`Host: ${held.fixture.host}`, ...lines(held.upload).slice(1), 'Transfer-Encoding: chunked'],
        '5\r\nhello\r\n0\r\n\r\n',
      ),
    DENIED,
  ],
  'length and chunks at once': [
    (held) =>
      raw(
        held,
        [`Host: ${held.fixture.host}`, ...lines(held.upload), 'Transfer-Encoding: chunked'],
        '5\r\nhello\r\n0\r\n\r\n',
      ),
    '400',
  ],
  'a body cut off': [
    (held) => raw(held, [`Host: ${held.fixture.host}`, ...lines(held.upload)], 'hel', true),
    '400',
  ],
  'another type': [uploadWith({ 'content-type': 'text/html' }), DENIED],
  'a type with a parameter': [uploadWith({ 'content-type': 'text/plain; charset=utf-7' }), DENIED],
  'no type': [uploadWithout('content-type'), DENIED],
  'two types': [
    (held) =>
      raw(held, [`Host: ${held.fixture.host}`, ...lines(held.upload), 'Content-Type: text/html'], 'hello'),
    'InvalidRequest',
  ],
  'no checksum': [uploadWithout('x-amz-checksum-sha256'), DENIED],
  'the checksum of other bytes': [
    uploadWith({ 'x-amz-checksum-sha256': 'RyI/wXu9RQwQnoQSVYwBpFRXDFB3z5AO6qh6MvrR1v4=' }, 'hellO'),
    DENIED,
  ],
  'a CRC32 of its own': [uploadWith({ 'x-amz-checksum-crc32': 'AAAAAA==' }), 'AccessDenied'],
  'a wrong Content-MD5': [uploadWith({ 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' }), 'BadDigest'],
  'a Content-MD5 that is not valid': [uploadWith({ 'content-md5': 'AAAA' }), 'InvalidDigest'],
  'a copy of the victim': [uploadWith({ 'x-amz-copy-source': `/${BUCKET}/b/victim` }), 'AccessDenied'],
  'an access list': [uploadWith({ 'x-amz-acl': 'public-read' }), 'AccessDenied'],
  'metadata of its own': [uploadWith({ 'x-amz-meta-owner': 'me' }), 'AccessDenied'],
  'a payload hash of its own': [uploadWith({ 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }), 'AccessDenied'],
  'a chunk-signed body': [uploadWith({ 'content-encoding': 'aws-chunked' }), 'NotImplemented'],
  'an Authorization header too': [
    uploadWith({ authorization: 'AWS4-HMAC-SHA256 Credential=x' }),
    'InvalidArgument',
  ],
  'a second past its expiry': [later(61_000), 'AccessDenied'],
  'a clock 16 minutes behind': [later(-16 * 60_000), 'AccessDenied'],
  'a later expiry': [uploadAs(parameter('X-Amz-Expires', '604800')), DENIED],
  'an expiry beyond all bounds': [
    uploadAs(parameter('X-Amz-Expires', '604801')),
    'AuthorizationQueryParametersError',
  ],
  'an expiry of nothing': [uploadAs(parameter('X-Amz-Expires', '')), 'AuthorizationQueryParametersError'],
  'a negative expiry': [uploadAs(parameter('X-Amz-Expires', '-1')), 'AuthorizationQueryParametersError'],
  'another date': [
    uploadAs(parameter('X-Amz-Date', '20990101T000000Z')),
    'AuthorizationQueryParametersError',
  ],
  'a date that is not valid': [uploadAs(parameter('X-Amz-Date', 'now')), 'AuthorizationQueryParametersError'],
  'another region': [
    uploadAs((url) => url.replace('us-east-1', 'eu-west-1')),
    'AuthorizationQueryParametersError',
  ],
  'another service': [
    uploadAs((url) => url.replace('%2Fs3%2F', '%2Fsts%2F')),
    'AuthorizationQueryParametersError',
  ],
  'another access key': [uploadAs((url) => url.replace('=intake%2F', '=root%2F')), 'InvalidAccessKeyId'],
  'another algorithm': [uploadAs(parameter('X-Amz-Algorithm', 'none')), 'AuthorizationQueryParametersError'],
  'no signature': [uploadAs((url) => url.replace(/&X-Amz-Signature=\w+/, '')), DENIED],
  'an empty signature': [uploadAs(parameter('X-Amz-Signature', '')), DENIED],
  'a signature of zeros': [uploadAs(parameter('X-Amz-Signature', '0'.repeat(64))), DENIED],
  'a signature in capitals': [
    uploadAs((url) => url.replace(/(?<=X-Amz-Signature=)\w+/, (hex) => hex.toUpperCase())),
    DENIED,
  ],
  'two signatures': [uploadAs((url) => `${url}&X-Amz-Signature=${'0'.repeat(64)}`), 'InvalidArgument'],
  'fewer signed headers': [uploadAs(parameter('X-Amz-SignedHeaders', 'host')), 'AccessDenied'],
  'no signed host': [uploadAs(parameter('X-Amz-SignedHeaders', 'x-amz-checksum-sha256')), 'AccessDenied'],
  'the payload hash of other bytes': [uploadAs(parameter('X-Amz-Content-Sha256', '0'.repeat(64))), DENIED],
  'no credentials at all': [uploadAs((url) => url.replace(/\?.*/, '')), 'AccessDenied'],
  'a session token': [uploadAs((url) => `${url}&X-Amz-Security-Token=x`), DENIED],
  'the access list of the key': [uploadAs((url) => `${url}&acl`), DENIED],
  'a part of a large upload': [uploadAs((url) => `${url}&partNumber=1&uploadId=1`), DENIED],
  'another host': [(held) => raw(held, ['Host: elsewhere.example', ...lines(held.upload)], 'hello'), DENIED],
  'an address as the target': [
    ({ fixture, upload }) =>
      rawSend(
        fixture.port,
        `PUT ${upload.url} HTTP/1.1\r\nHost: ${fixture.host}\r\nConnection: close\r\n\r\n`,
      ).then((answer) => codeOf(answer, 0)),
    'InvalidURI',
  ],
  'two hosts': [
    (held) =>
      raw(held, [`Host: ${held.fixture.host}`, 'Host: elsewhere.example', ...lines(held.upload)], 'hello'),
    'InvalidRequest',
  ],
  'a download of another key': [downloadAs((url) => url.replace('/b/victim?', '/b/other?')), DENIED],
  'a download as another type': [downloadAs(parameter('response-content-type', 'text%2Fhtml')), DENIED],
  'a download shown inline': [downloadAs(parameter('response-content-disposition', 'inline')), DENIED],
  'a download without its name': [
    downloadAs((url) => url.replace(/&response-content-disposition=[^&]*/, '')),
    DENIED,
  ],
  'a download URL to overwrite': [downloadAs((url) => url, { method: 'PUT', body: 'mine' }), DENIED],
  'a download URL to delete': [downloadAs((url) => url, { method: 'DELETE' }), DENIED],
  'a download URL for HEAD': [downloadAs((url) => url, { method: 'HEAD' }), '403'],
  'an anonymous download': [downloadAs((url) => url.replace(/\?.*/, '')), 'AccessDenied'],
  'an anonymous override': [
    downloadAs((url) => url.replace(/\?.*/, '?response-content-type=text%2Fhtml')),
    'AccessDenied',
  ],
};
