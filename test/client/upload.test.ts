import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { sourceOf } from '../../client/files.ts';
import { platform } from '../../client/platform.ts';
import { limitsOf } from '../../client/retry.ts';
import { bytesToSend } from '../../client/sendBytes.ts';
import { upload } from '../../client/upload.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('client: uploads');
const folder = mkdtempSync(join(tmpdir(), 'intake-client-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

const slot = {
  ...{ fileId: 'fil_1', fileIndex: 0, label: 'front', method: 'PUT' as const, headers: {} },
  ...{ url: 'https://files.example/1', fields: null, parts: null, expiresAt: '2026-11-21T10:46:00.000Z' },
};
const options = {
  ...limitsOf({ timeoutMs: 5_000, maxRetries: 3 }),
  signal: undefined,
  onSent: () => undefined,
};

test('a file is closed after each attempt that did not read it to its end', async () => {
  let [opened, closed] = [0, 0];
  const open = async () => {
    opened += 1;
    return new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      cancel: () => {
        closed += 1;
      },
    });
  };
  const source = {
    name: null,
    type: 'text/plain',
    size: 1_048_576,
    label: undefined,
    sha256: undefined,
    open,
  };
  const unreachable = async () => {
    throw new TypeError('fetch failed');
  };
  const surroundings = { ...platform, fetch: unreachable, sleep: async () => undefined };
  const error = await upload(surroundings, slot, source, options).catch((thrown: unknown) => thrown);
  assert.is((error as { code?: string }).code, 'unreachable');
  assert.is(opened, 4);
  await eventually('each to be closed', async () => closed === 4);
});

test('a file on the disk that is given up while it is read ends with the attempt alone', async () => {
  const path = join(folder, 'large.bin');
  writeFileSync(path, Buffer.alloc(2 * 1_048_576));
  const { open, size } = await sourceOf({ content: path, sha256: '0'.repeat(64) });
  const source = { name: null, type: 'text/plain', size, label: undefined, sha256: undefined, open };
  const thrown: unknown[] = [];
  const note = (error: unknown) => void thrown.push(error);
  process.on('uncaughtException', note);
  try {
    for (let n = 0; n < 20; n += 1) {
      const ended = new AbortController();
      const { body } = await bytesToSend(source, new Headers(), { start: 0, end: size }, () => {}, ended);
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      await reader.read();
      await setTimeout(10); // more of the file has been read ahead
      const next = reader.read();
      await Promise.resolve();
      ended.abort();
      await next;
      await setTimeout(10);
    }
  } finally {
    process.off('uncaughtException', note);
  }
  assert.equal(thrown, []);
});

test('a file that can’t be read, or is shorter than it was, is not sent again', async () => {
  const opens = [];
  const failing = (fault: Error | null) => async () => {
    opens.push(fault);
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new Uint8Array(4));
        if (fault === null) controller.close();
      },
      pull: () => {
        throw fault;
      },
    });
  };
  const server = createServer((request) => request.resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const facts = { name: 'a.txt', type: 'text/plain', size: 8, label: undefined, sha256: undefined };
  try {
    for (const fault of [new Error('EIO: i/o error, read'), null]) {
      const sent = upload(platform, { ...slot, url }, { ...facts, open: failing(fault) }, options);
      const message = fault?.message ?? 'a file ended after 4 of 8 bytes';
      assert.is(await sent.catch((thrown: Error) => thrown.message), message);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  assert.is(opens.length, 2);
});
