import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { type EmbeddedSettings, embeddedObjects } from '../../stores/objects/embedded.ts';
import type { ObjectStore } from '../../stores/objects/port.ts';
import { httpSend } from '../contract/httpSend.ts';

export const credentials = { accessKeyId: 'intake', secretAccessKey: 'a-secret-of-tests' };
export const BUCKET = 'files';
export const REGION = 'us-east-1';

/** A running endpoint whose clock `ahead` moves (in milliseconds), its store, and what was reported. */
export type Fixture = Readonly<{
  url: string;
  host: string;
  port: number;
  folder: string;
  store: ObjectStore;
  reports: unknown[];
  time: { ahead: number };
  put(key: string, bytes: string, mimeType?: string): Promise<void>;
  get(key: string): Promise<string | null>;
  files(): Promise<readonly string[]>;
  close(): Promise<void>;
}>;

/** Starts an endpoint on a new temporary folder, or on `folder`; `close` removes it. */
export const startEmbedded = async (settings: Partial<EmbeddedSettings> = {}): Promise<Fixture> => {
  const folder = settings.folder ?? (await mkdtemp(join(tmpdir(), 'intake-embedded-')));
  const time = { ahead: 0 };
  const reports: unknown[] = [];
  const endpoint = await embeddedObjects({
    ...{ folder, port: 0, credentials, bucket: BUCKET, region: REGION },
    clock: { now: () => new Date(Date.now() + time.ahead) },
    report: (error) => reports.push(error),
    ...settings,
  }).catch(async (error) => {
    if (!settings.folder) await rm(folder, { recursive: true });
    throw error;
  });
  const store = endpoint.objects;
  const { host, port } = new URL(endpoint.url);
  return {
    ...{ url: endpoint.url, host, port: Number(port), folder, store, reports, time },
    put: async (key, bytes, mimeType) => {
      const terms = { key, expiresInSeconds: 60, size: Buffer.byteLength(bytes) };
      const signed = await store.signUpload({ ...terms, ...(mimeType && { mimeType }) });
      const { status, body } = await httpSend({ ...signed, body: bytes });
      if (status !== 200) throw new Error(body.toString());
    },
    get: async (key) => {
      const stream = await store.read(key);
      return stream && (await buffer(stream)).toString();
    },
    files: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    },
    close: async () => {
      await endpoint.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/**
 * Writes `bytes` to a socket as they are and returns all that comes back; `half` closes our side after them.
 */
export const rawSend = (port: number, bytes: string, half = false): Promise<string> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(bytes);
  if (half) socket.end();
  return text(socket).finally(() => socket.destroy());
};

/** The S3 error code of an answer, or its status when it has none. */
export const codeOf = (body: string, status: number): string =>
  /<Code>(\w+)</.exec(body)?.[1] ?? String(status);
