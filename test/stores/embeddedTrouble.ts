import { type FileHandle, open } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { eventually } from '../harness.ts';
import type { Fixture } from './embeddedFixture.ts';

/** An upload of `size` bytes of which only the first ones are sent. */
export const beginUpload = async (to: Fixture, key: string, size: number, first: string) => {
  const { url } = await to.store.signUpload({ key, expiresInSeconds: 60, size });
  const { pathname, search } = new URL(url);
  const socket = connect(to.port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${to.host}\r\nContent-Length: ${size}\r\n\r\n${first}`,
  );
  return socket;
};

/** The unfinished files. */
export const incoming = async (of: Fixture) => (await of.files()).filter((file) => file.includes('incoming'));

/** Waits until one upload is being written. */
export const begun = (of: Fixture) =>
  eventually('the upload to begin', async () => (await incoming(of)).length === 1);

/** Waits until nothing unfinished is there. */
export const left = (of: Fixture) =>
  eventually('nothing to be left', async () => (await incoming(of)).length === 0);

/** Writes `text` into a file from the byte `at` on. */
export const overwrite = async (path: string, text: string, at: number) => {
  const handle = await open(path, 'r+');
  await handle.write(text, at);
  await handle.close();
};

/** What every open file is made of. */
export const prototypeOf = async (): Promise<FileHandle> => {
  const handle = await open(tmpdir());
  await handle.close();
  return Object.getPrototypeOf(handle);
};

/** Replaces functions of every open file for a while. */
export const whileBroken = async (change: Partial<FileHandle>, body: () => Promise<void>) => {
  const prototype = await prototypeOf();
  const whole = Object.fromEntries(Object.keys(change).map((name) => [name, prototype[name as 'sync']]));
  Object.assign(prototype, change);
  try {
    await body();
  } finally {
    Object.assign(prototype, whole);
  }
};

/** A function that fails as the system does with `code`. */
export const failing = (code: string) => async () => {
  throw Object.assign(new Error(code), { code });
};
