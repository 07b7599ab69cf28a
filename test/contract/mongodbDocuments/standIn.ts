import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { BSON } from 'mongodb';
import { messages } from '../../../scripts/withEngines/writesInTurn.ts';

type Answer = Readonly<Record<string, unknown>>;

/** What a stand-in answers to a command; null: nothing, ever. */
export type Respond = (command: string) => Answer | null;

/** What a primary of a replica set says of itself. */
export const primary = (address: string): Answer => ({
  ...{ isWritablePrimary: true, ismaster: true, helloOk: true, setName: 'rs', hosts: [address], me: address },
  ...{ setVersion: 1, primary: address, minWireVersion: 0, maxWireVersion: 21, readOnly: false },
  ...{ maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 },
  ...{
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    saslSupportedMechs: ['SCRAM-SHA-256'],
    ok: 1,
  },
});

/**
 * A server of MongoDB's protocol that holds nothing and answers as it is told: for answers that no server
 * here gives.
 */
export const standIn = async (
  respond: (address: string) => Respond,
): Promise<Readonly<{ address: string; close(): Promise<void> }>> => {
  const sockets = new Set<Socket>();
  let answer: Respond = () => null;
  const serve = async (socket: Socket): Promise<void> => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    for await (const request of messages(socket)) {
      const found = answer(commandOf(request));
      if (found) socket.write(message(request, found));
    }
  };
  const server = createServer((socket) => void serve(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const at = server.address();
  const address = `127.0.0.1:${typeof at === 'object' && at ? at.port : 0}`;
  answer = respond(address);
  return {
    address,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};

/** The first message of a connection is of the old kind (2004), all others of the new. */
const isOld = (request: Buffer): boolean => request.readInt32LE(12) === 2004;

const commandOf = (request: Buffer): string => {
  const start = isOld(request) ? request.indexOf(0, 20) + 9 : 21;
  // Behind the command there may be what it writes.
  const command = request.subarray(start, start + request.readInt32LE(start));
  return Object.keys(BSON.deserialize(command))[0] ?? '';
};

const message = (request: Buffer, answer: Answer): Buffer => {
  const body = BSON.serialize(answer);
  const before = Buffer.alloc(isOld(request) ? 20 : 5);
  if (isOld(request)) before.writeInt32LE(1, 16);
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + before.length + body.length, 0);
  header.writeInt32LE(request.readInt32LE(4), 8);
  header.writeInt32LE(isOld(request) ? 1 : 2013, 12);
  return Buffer.concat([header, before, body]);
};
