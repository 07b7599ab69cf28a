import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import * as assert from 'uvu/assert';
import { StoreMisconfigured, StoreUnavailable } from '../../kernel/errors.ts';
import { certificateFor } from '../../scripts/certificate.ts';
import { attachment } from '../../stores/objects/contentDisposition.ts';
import type { ObjectStore } from '../../stores/objects/port.ts';
import { type S3Settings, s3ObjectStore } from '../../stores/objects/s3/store.ts';
import { suite } from '../harness.ts';

const test = suite('the S3 driver');
const credentials = { accessKeyId: 'id-of-tests', secretAccessKey: 'secret-of-tests' };
const aws: S3Settings = { region: 'eu-central-1', bucket: 'files', pathStyle: false, credentials };
const terms = { key: 'a/b', expiresInSeconds: 60 };

const urlOf = async (settings: S3Settings): Promise<URL> => {
  const store = s3ObjectStore(settings);
  const { url } = await store.signUpload(terms);
  await store.close();
  return new URL(url);
};

test('URLs name the public endpoint, the bucket as a path or as a host, and the time of the clock', async () => {
  assert.is((await urlOf(aws)).host, 'files.s3.eu-central-1.amazonaws.com');
  const near = { ...aws, endpoint: 'http://minio:9000', pathStyle: true };
  assert.is((await urlOf(near)).href.split('?')[0], 'http://minio:9000/files/a/b');
  const shown = await urlOf({ ...near, publicEndpoint: 'https://up.example' });
  assert.is(shown.href.split('?')[0], 'https://up.example/files/a/b');
  const clock = { now: () => new Date('2030-01-02T03:04:05Z') };
  assert.is((await urlOf({ ...aws, clock })).searchParams.get('X-Amz-Date'), '20300102T030405Z');
  assert.is(shown.searchParams.get('X-Amz-Expires'), '60');
});

test('encryption on the server is signed and among the headers to send', async () => {
  const store = s3ObjectStore({ ...aws, serverSideEncryption: 'AES256' });
  const { url, headers } = await store.signUpload(terms);
  assert.equal(headers, { 'x-amz-server-side-encryption': 'AES256' });
  assert.match(new URL(url).searchParams.get('X-Amz-SignedHeaders') ?? '', /x-amz-server-side-encryption/);
  await store.close();
});

test('an invalid checksum is refused before it is signed', async () => {
  const store = s3ObjectStore(aws);
  const thrown = await store.signUpload({ ...terms, sha256: 'abc' }).catch((error) => error);
  assert.match(thrown.message, /64 hexadecimal digits/);
  await store.close();
});

/** A store over a server that answers as told. */
const against = async (listener: RequestListener, body: (store: ObjectStore) => Promise<void>) => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = s3ObjectStore({ ...aws, endpoint, pathStyle: true, timeoutMs: 300 });
  try {
    await body(store);
  } finally {
    await store.close();
    server.close();
    server.closeAllConnections();
  }
};
const thrownBy = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => assert.unreachable('nothing was thrown'),
    (error) => error,
  ) as Promise<Error>;

test('a store that never answers is unavailable within its time', () =>
  against(
    () => undefined,
    async (store) => {
      assert.instance(await thrownBy(store.head('k')), StoreUnavailable);
      assert.instance(await thrownBy(store.check()), StoreUnavailable);
    },
  ));

for (const status of [500, 502, 503, 429])
  test(`an answer of ${status} is unavailable`, () =>
    against(
      (_request, response) => response.writeHead(status).end(),
      async (store) => {
        assert.instance(await thrownBy(store.read('k')), StoreUnavailable);
        assert.instance(await thrownBy(store.copy('k', '"e"', 't', 'a/b')), StoreUnavailable);
      },
    ));

for (const [status, code] of [
  [400, 'RequestTimeout'],
  [409, 'OperationAborted'],
] as const)
  test(`so is ${code}, whatever its status`, () =>
    against(
      (request, response) => {
        request.resume();
        response.writeHead(status, { 'content-type': 'application/xml' });
        response.end(`<Error><Code>${code}</Code></Error>`);
      },
      async (store) => {
        const error = await thrownBy(store.read('k'));
        assert.instance(error, StoreUnavailable);
        assert.not.instance(error, StoreMisconfigured);
      },
    ));

test('bytes that stop on the way end in StoreUnavailable, never in a short file', async () => {
  for (const broken of [true, false])
    await against(
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100', etag: '"e"' });
        response.write('half', () => broken && response.destroy());
      },
      async (store) => {
        const stream = await store.read('k');
        assert.ok(stream);
        assert.instance(await thrownBy(text(stream)), StoreUnavailable);
      },
    );
});

test('a server that is no S3 store is reported by name', async () => {
  const told = async (store: ObjectStore, says: RegExp): Promise<void> => {
    const error = await thrownBy(store.check());
    assert.instance(error, StoreMisconfigured, error.stack);
    assert.match(error.message, says);
  };
  await against(
    (_request, response) => response.end('<html>Welcome</html>'),
    (store) => told(store, /files" at http.* is not that of an S3 store: it gave no size/),
  );
  const { cert, key } = await certificateFor('localhost');
  const web = createTlsServer({ cert, key });
  const other = createNetServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-x\r\n'));
  for (const [server, scheme, says] of [
    [web, 'https', /no TLS connection to .*SELF_SIGNED.*NODE_EXTRA_CA_CERTS/],
    [other, 'http', /is not that of an S3 store: it does not use HTTP/],
    [other, 'https', /no TLS connection to /],
  ] as const) {
    if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
    const endpoint = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = s3ObjectStore({ ...aws, endpoint, pathStyle: true, timeoutMs: 2_000 });
    await told(store, says);
    await store.close();
  }
  web.close();
  other.close();
});

test('a missing bucket is no absent key, and no message passes on what S3 says of the credentials', () =>
  against(
    (_request, response) => {
      response.writeHead(404, { 'content-type': 'application/xml' });
      response.end(`<Error><Code>NoSuchBucket</Code><AWSAccessKeyId>id-of-tests</AWSAccessKeyId></Error>`);
    },
    async (store) => {
      const error = await thrownBy(store.read('k'));
      assert.match(error.message, /bucket "files" at http:\/\/127\.0\.0\.1:\d+ does not exist/);
      assert.not.match(JSON.stringify(Object.getOwnPropertyDescriptors(error)), /id-of-tests/);
    },
  ));

/** A store that takes everything; it copies as told. */
const taking =
  (copies: (response: ServerResponse) => void): RequestListener =>
  (request, response) => {
    request.resume();
    const begins = request.method === 'POST' && request.url?.includes('uploads');
    if (request.headers['x-amz-copy-source'] !== undefined) copies(response);
    else if (begins) response.end(BEGUN);
    else response.writeHead(200, { etag: '"e"', 'content-length': '0' }).end();
  };
const BEGUN = '<InitiateMultipartUploadResult><UploadId>parts</UploadId></InitiateMultipartUploadResult>';

test('a bucket is checked once: a store that copies a changed file is refused', async () => {
  const always = taking((response) => {
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end('<CopyObjectResult><ETag>"e"</ETag></CopyObjectResult>');
  });
  await against(always, async (store) => {
    for (let round = 0; round < 2; round += 1) {
      const error = await thrownBy(store.check());
      assert.instance(error, StoreMisconfigured);
      assert.match(error.message, /bucket "files" at http.*copies files that have changed/);
    }
  });
  const unlisted: RequestListener = (request, response) =>
    response.writeHead(request.method === 'HEAD' && request.url?.includes('/uploads/') ? 403 : 200).end();
  await against(unlisted, async (store) => {
    const error = await thrownBy(store.check());
    assert.instance(error, StoreMisconfigured);
    assert.match(error.message, /refuses .*what they may do/);
  });
  let copies = 0;
  const keeping = taking((response) => {
    copies += 1;
    response.writeHead(412).end();
  });
  await against(keeping, async (store) => {
    for (let round = 0; round < 3; round += 1) await store.check();
  });
  assert.is(copies, 1);
});

for (const type of ['binary/octet-stream', 'application/octet-stream', undefined])
  test(`the type ${type} counts as none`, () =>
    against(
      (_request, response) => {
        if (type) response.setHeader('content-type', type);
        response.writeHead(200, { 'content-length': '3', etag: '"e"' }).end();
      },
      async (store) => assert.equal(await store.head('k'), { size: 3, etag: '"e"', mimeType: null }),
    ));

for (const [name, expected] of [
  ['receipt.pdf', 'attachment; filename="receipt.pdf"'],
  ['../../etc/passwd', 'attachment; filename="_.._etc_passwd"'],
  ['a"; filename=evil.exe', 'attachment; filename="a__ filename=evil.exe"'],
  ['a\r\nSet-Cookie: b', 'attachment; filename="aSet-Cookie_ b"'],
  ['\u202egnp.exe', 'attachment; filename="gnp.exe"'],
  ['Größe 100%.txt', `attachment; filename="Gr__e 100_.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20100%25.txt`],
  ["it's(1)*!.txt", `attachment; filename="it's(1)_!.txt"`],
  ["ü'(1)!.txt", `attachment; filename="_'(1)!.txt"; filename*=UTF-8''%C3%BC%27%281%29%21.txt`],
  ['\ud800', 'attachment; filename="file"'],
  ['...', 'attachment; filename="file"'],
  ['', 'attachment; filename="file"'],
] as const)
  test(`saved as ${JSON.stringify(name)}`, () => assert.is(attachment(name), expected));

test('a long name keeps its end', () => {
  assert.is(attachment(`${'x'.repeat(5000)}.pdf`), `attachment; filename="${'x'.repeat(116)}.pdf"`);
});
