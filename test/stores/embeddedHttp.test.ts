import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { s3ObjectStore } from '../../stores/objects/s3/store.ts';
import { httpSend } from '../contract/httpSend.ts';
import { suite } from '../harness.ts';
import { BUCKET, codeOf, credentials, type Fixture, REGION, startEmbedded } from './embeddedFixture.ts';
import { headerSigned, querySigned } from './selfSigned.ts';

const test = suite('embedded objects: as HTTP');
let fixture: Fixture;
test.before(async () => {
  fixture = await startEmbedded({ limits: { maximumBytes: 1_000 } });
  await fixture.put('k', '0123456789', 'text/html');
});
test.after(() => fixture.close());

const get = (headers: Record<string, string> = {}, key = 'k', method = 'GET') =>
  httpSend(querySigned(fixture, { method, key, headers }));

test('what is downloaded can not run in a browser', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { headers } = await get({}, 'k', method);
    assert.is(headers['x-content-type-options'], 'nosniff');
    assert.is(headers['content-security-policy'], "default-src 'none'; sandbox");
    assert.is(headers['content-disposition'], 'attachment');
    assert.is(headers['content-type'], 'text/html');
    assert.is(headers['content-length'], '10');
  }
});

for (const [range, status, body, contentRange] of [
  ['bytes=0-1', 206, '01', 'bytes 0-1/10'],
  ['bytes=8-', 206, '89', 'bytes 8-9/10'],
  ['bytes=-3', 206, '789', 'bytes 7-9/10'],
  ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
  ['bytes=9-99', 206, '9', 'bytes 9-9/10'],
  ['bytes=10-', 416, null, undefined],
  ['bytes=-0', 416, null, undefined],
  ['bytes=2-1', 200, '0123456789', undefined],
  ['bytes=0-1,3-4', 200, '0123456789', undefined],
  ['bytes=0-1e3', 200, '0123456789', undefined],
  ['lines=0-1', 200, '0123456789', undefined],
] as const)
  test(`a range: ${range}`, async () => {
    const answer = await get({ range });
    assert.is(answer.status, status);
    assert.is(answer.headers['content-range'], contentRange);
    if (body !== null) assert.is(answer.body.toString(), body);
    else assert.is(codeOf(answer.body.toString(), answer.status), 'InvalidRange');
  });

test('malformed HTTP is answered as Node would; TLS is named, in the log as well', async () => {
  const warnings: string[] = [];
  const strict = await startEmbedded({ warn: (message) => void warnings.push(message) });
  const answerTo = async (bytes: string): Promise<string> => {
    const socket = connect(strict.port, '127.0.0.1');
    socket.end(Buffer.from(bytes, 'latin1'));
    return text(socket);
  };
  try {
    assert.match(
      await answerTo('GARBAGE\r\n\r\n'),
      /^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n\r\n$/,
    );
    assert.match(await answerTo(`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /);
    assert.equal(warnings, []);
    const told = await answerTo('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03');
    assert.match(
      told,
      /^HTTP\/1\.1 400 .*<Message>A TLS handshake arrived at the http port of the object store/s,
    );
    assert.is(warnings.length, 1);
    assert.match(warnings[0] ?? '', /^A TLS handshake arrived .*STORAGE_PUBLIC_URL/);
  } finally {
    await strict.close();
  }
});

test('conditions on the ETag', async () => {
  const etag = (await fixture.store.head('k'))?.etag ?? '';
  assert.is((await get({ 'if-match': etag })).status, 200);
  assert.is((await get({ 'if-match': '"other"' })).status, 412);
  assert.is((await get({ 'if-none-match': etag })).status, 304);
  assert.is((await get({ 'if-none-match': '"other"' })).status, 200);
  assert.is((await get({ range: 'bytes=0-1', 'if-range': etag })).status, 206);
  assert.is((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).status, 200);
});

test('an error is XML that holds nothing of the request unescaped', async () => {
  const { status, headers, body } = await get({}, '<script>&"\'</script>');
  assert.equal([status, headers['content-type']], [404, 'application/xml']);
  assert.match(body.toString(), /^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error><Code>NoSuchKey<\/Code>/);
  assert.not.match(body.toString(), /<script>|Signature/);
  assert.is(headers['x-amz-request-id'], /<RequestId>(.*)<\/RequestId>/.exec(body.toString())?.[1]);
});

test('a page of any origin may ask before it sends', async () => {
  const { url } = await fixture.store.signUpload({ key: 'k', expiresInSeconds: 60 });
  const asked = { origin: 'https://app.example', 'access-control-request-method': 'PUT' };
  const { status, headers, body } = await httpSend({ method: 'OPTIONS', url, headers: asked });
  assert.equal([status, body.length], [204, 0]);
  assert.is(headers['access-control-allow-origin'], '*');
  assert.match(headers['access-control-allow-methods'] ?? '', /PUT/);
  for (const name of ['content-type', 'x-amz-checksum-sha256'])
    assert.ok(headers['access-control-allow-headers']?.includes(name));
  assert.is((await get()).headers['access-control-allow-origin'], '*');
  assert.is((await get({}, 'absent')).headers['access-control-allow-origin'], '*');
});

test('one connection serves many requests, refused ones too', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const reused: boolean[] = [];
  for (const key of ['k', 'absent', 'k']) {
    const sent = request(querySigned(fixture, { method: 'GET', key }).url, { agent }).end();
    const [answer] = await once(sent, 'response');
    await text(answer);
    reused.push(sent.reusedSocket);
  }
  agent.destroy();
  assert.equal(reused, [false, true, true]);
});

test('a sender that waits for 100 Continue gets it only when its upload is accepted', async () => {
  for (const [length, first] of [
    [5, 'HTTP/1.1 100'],
    [1_001, 'HTTP/1.1 400'],
  ] as const) {
    const headers = { 'content-length': String(length) };
    const { pathname, search } = new URL(querySigned(fixture, { method: 'PUT', key: 'w', headers }).url);
    const socket = connect(fixture.port, '127.0.0.1');
    socket.write(
      `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${fixture.host}\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    const [answer] = await once(socket, 'data');
    assert.ok(String(answer).startsWith(first), String(answer));
    socket.destroy();
  }
});

test('an upload that is too large is refused while it is sent', async () => {
  const body = Buffer.alloc(900_000);
  const headers = { 'content-length': String(body.length) };
  const answer = await httpSend({ ...querySigned(fixture, { method: 'PUT', key: 'l', headers }), body });
  assert.is(codeOf(answer.body.toString(), answer.status), 'EntityTooLarge');
  assert.is(answer.headers.connection, 'close');
});

test('the answer to a refused upload is not lost by a reset', async () => {
  const headers = { 'content-length': '2000' };
  const { pathname, search } = new URL(querySigned(fixture, { method: 'PUT', key: 'l', headers }).url);
  const socket = connect(fixture.port, '127.0.0.1');
  const line = `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${fixture.host}\r\nContent-Length: 2000\r\n\r\n`;
  socket.write(line + 'x'.repeat(1_000));
  assert.match(String((await once(socket, 'data'))[0]), /EntityTooLarge/);
  socket.write('x'.repeat(999));
  await httpSend(querySigned(fixture, { method: 'GET', key: 'k' }));
  socket.write('x');
  const [hadError] = await once(socket, 'close');
  assert.is(hadError, false);
});

test('a length must be given', async () => {
  const headers = { 'transfer-encoding': 'chunked' };
  const answer = await httpSend({ ...querySigned(fixture, { method: 'PUT', key: 'c', headers }), body: 'x' });
  assert.is(codeOf(answer.body.toString(), answer.status), 'MissingContentLength');
});

test('removal by a signed header; of the bucket only HEAD', async () => {
  await fixture.put('gone', 'x');
  assert.is((await headerSigned(fixture, { method: 'DELETE', key: 'gone' })).status, 204);
  assert.is(await fixture.get('gone'), null);
  const { status, headers } = await headerSigned(fixture, { method: 'HEAD', key: '' });
  assert.equal([status, headers['x-amz-bucket-region']], [200, REGION]);
});

test('behind a proxy that replaces the host, URLs signed for the public one hold', async () => {
  const publicUrl = 'https://files.example';
  const own = await startEmbedded({ publicUrl });
  const place = { bucket: BUCKET, region: REGION, credentials, pathStyle: true };
  const store = s3ObjectStore({ ...place, endpoint: own.url, publicEndpoint: publicUrl });
  const signed = await store.signUpload({ key: 'k', expiresInSeconds: 60 });
  assert.ok(signed.url.startsWith(publicUrl));
  const url = signed.url.replace(publicUrl, own.url);
  assert.is((await httpSend({ ...signed, url, headers: { 'content-length': '1' }, body: 'x' })).status, 200);
  assert.is((await store.head('k'))?.size, 1);
  assert.is((await httpSend({ method: 'PUT', url: url.replace('/k?', '/j?'), body: '' })).status, 403);
  await store.close();
  await own.close();
});

test('a public URL with a path, and a port in use, stop the start', async () => {
  const thrown = (settings: object): Promise<string> => startEmbedded(settings).then(() => 'started', String);
  assert.match(await thrown({ publicUrl: 'https://files.example/storage' }), /must have no path/);
  assert.match(await thrown({ port: fixture.port }), /EADDRINUSE/);
});
