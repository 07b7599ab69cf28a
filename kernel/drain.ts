import type { Readable } from 'node:stream';

/**
 * Drops what still comes of a request, for `ms` and so many bytes at most: to close its connection while the
 * client sends would reset it, and the client might never get the answer.
 */
export const drain = (request: Readable, ms: number, bytes: number): Promise<void> =>
  new Promise((resolve) => {
    let remaining = bytes;
    const timer = setTimeout(resolve, ms);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    for (const event of ['end', 'close', 'error']) request.once(event, done);
    request.on('data', (chunk: Buffer) => {
      remaining -= chunk.length;
      if (remaining < 0) done();
    });
    request.resume();
  });
