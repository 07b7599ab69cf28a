import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createNamedQueues } from '../../kernel/semaphore.ts';

/**
 * Gets each command and its message before it is forwarded, and can delay it; `cut` breaks its connection
 * instead.
 */
export type Watch = (command: string, message: Buffer) => Promise<'pass' | 'cut'>;

/**
 * A way to a server of MongoDB's protocol by which one write of each database runs at a time, from whatever
 * client. FerretDB 1.24 changes a document by reading and then writing it: of two conditional updates at once
 * both win. MongoDB's are atomic, and so are FerretDB's behind this.
 */
export const writesInTurn = async (
  target: Readonly<{ host: string; port: number }>,
  watch: Watch = async () => 'pass',
): Promise<Readonly<{ address: string; close(): Promise<void> }>> => {
  const queues = createNamedQueues();
  const sockets = new Set<Socket>();
  const join = async (client: Socket): Promise<void> => {
    const upstream = connect({ ...target, noDelay: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => {
        sockets.delete(socket);
        for (const other of [client, upstream]) other.destroy();
      });
    }
    const answers = messages(upstream);
    const exchange = async (request: Buffer): Promise<void> => {
      upstream.write(request);
      const { value } = await answers.next();
      if (value) client.write(value);
    };
    for await (const request of messages(client)) {
      const command = commandOf(request);
      if ((await watch(command, request)) === 'cut') client.destroy();
      else if (WRITES.has(command)) await queues.run(databaseOf(request), () => exchange(request));
      else await exchange(request);
    }
  };
  const server = createServer({ noDelay: true }, (client) => void join(client));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return {
    address: `127.0.0.1:${address.port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};

const WRITES = new Set([
  'insert',
  'update',
  'delete',
  'findAndModify',
  'createIndexes',
  'drop',
  'dropIndexes',
]);

/** The name of a command: that of the first member of the document behind header, flags, kind and size. */
const commandOf = (message: Buffer): string => {
  const start = 26;
  return message.toString('latin1', start, message.indexOf(0, start));
};

const DATABASE = Buffer.from('\x02$db\0');

/** The name of a command's database: a text member after its own length. */
const databaseOf = (message: Buffer): string => {
  const start = message.indexOf(DATABASE) + DATABASE.length + 4;
  return message.toString('latin1', start, message.indexOf(0, start));
};

/** Whole messages of a connection, each with its length in front. Ends with the connection. */
export async function* messages(socket: Socket): AsyncGenerator<Buffer, undefined> {
  const chunks: Buffer[] = [];
  let held = 0;
  const data = socket.iterator({ destroyOnReturn: false });
  try {
    for await (const chunk of data as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      held += chunk.length;
      while (held >= 4) {
        const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
        const length = all.readInt32LE(0);
        chunks.splice(0, chunks.length, all);
        if (held < length) break;
        chunks.splice(0, 1, all.subarray(length));
        held -= length;
        yield all.subarray(0, length);
      }
    }
  } catch {
    // A connection that broke has ended, and its close ends the other one.
  }
  return undefined;
}
