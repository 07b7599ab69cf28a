import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { makeBucket, s3Settings } from './bucket.ts';
import { answers, build, start } from './program.ts';
import type { Engine, Say } from './start.ts';

/** The Versity S3 gateway on a folder, with a bucket. */
export const startVersityGateway = async (folder: string, say: Say): Promise<Engine> => {
  const program = await build('versitygw', 'github.com/versity/versitygw/cmd/versitygw', say);
  const data = join(folder, 'buckets');
  await mkdir(data);
  const credentials = {
    accessKeyId: randomBytes(8).toString('hex'),
    secretAccessKey: randomBytes(24).toString('hex'),
  };
  const port = await freePort();
  const server = start(program, ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', data], {
    ROOT_ACCESS_KEY_ID: credentials.accessKeyId,
    ROOT_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  });
  const target = { endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', bucket: 'intake' };
  try {
    await Promise.race([answers(() => makeBucket({ ...target, credentials })), server.broken]);
  } catch (error) {
    await server.stop();
    throw error;
  }
  say(`the Versity gateway answers at ${target.endpoint}`);
  return { settings: s3Settings({ ...target, credentials }), close: server.stop };
};

/** It can't choose a free port by itself. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};
