import { ReadStream } from 'node:fs';
import { connect, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { startEmbedded } from './embeddedFixture.ts';
import { beginUpload, left } from './embeddedTrouble.ts';

const test = suite('embedded objects: slow and silent clients');
const impatient = { limits: { idleMs: 200, leastBytesPerSecond: 1_000_000 } };

/**
 * Resolves when a connection has ended: being cut off may come as an end or, with bytes under way, as a
 * reset.
 */
const cutOff = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ['close', 'error']) socket.once(event, () => resolve());
  });

test('a sender that falls silent is cut off', async () => {
  const own = await startEmbedded(impatient);
  const socket = await beginUpload(own, 'k', 100, 'half');
  await cutOff(socket);
  await left(own);
  assert.is(await own.get('k'), null);
  await own.close();
});

test('a sender that drips is cut off', async () => {
  const own = await startEmbedded(impatient);
  const socket = await beginUpload(own, 'k', 100_000, 'x');
  const drip = setInterval(() => socket.write('x'), 20);
  await cutOff(socket);
  clearInterval(drip);
  await left(own);
  await own.close();
});

for (const dripping of [false, true])
  test(`a connection that ${dripping ? 'drips' : 'sends'} no request is cut off`, async () => {
    const own = await startEmbedded(impatient);
    const socket = connect(own.port, '127.0.0.1').resume();
    if (dripping) socket.write('GET /');
    const drip = setInterval(() => dripping && socket.write('x'), 20);
    await cutOff(socket);
    clearInterval(drip);
    await own.close();
  });

test('a client that does not read what it asked for is cut off, and its file closed', async () => {
  const patient = await startEmbedded();
  await patient.put('large', 'x'.repeat(30_000_000));
  const own = await startEmbedded({ ...impatient, folder: patient.folder });
  const terms = { key: 'large', expiresInSeconds: 60, fileName: 'x', mimeType: 'text/plain' };
  const { pathname, search } = new URL((await own.store.signDownload(terms)).url);
  const { _read } = ReadStream.prototype;
  const streams: ReadStream[] = [];
  ReadStream.prototype._read = function (this: ReadStream, bytes) {
    streams.push(this);
    _read.call(this, bytes);
  };
  try {
    const socket = connect(own.port, '127.0.0.1').pause();
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${own.host}\r\n\r\n`);
    await eventually('the file to be closed', () => streams[0]?.closed);
    assert.ok((streams[0]?.bytesRead ?? 0) < 30_000_000);
    socket.destroy();
  } finally {
    ReadStream.prototype._read = _read;
  }
  await own.close();
  assert.equal(own.reports, []);
  await patient.close();
});
