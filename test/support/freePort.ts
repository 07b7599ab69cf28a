import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port where nobody listens, to be used later. Not one that the system hands out by itself (from 32768 on):
 * between two starts of a server it would give that one to somebody's connection.
 */
export const freePort = async (): Promise<number> => {
  const port = randomInt(20_000, 32_000);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return freePort();
    throw error;
  }
  server.close();
  await once(server, 'close');
  return port;
};

/** Settings of a service whose addresses stay the same when it is started again. */
export const freePorts = async () => ({ PORT: `${await freePort()}`, STORAGE_PORT: `${await freePort()}` });
