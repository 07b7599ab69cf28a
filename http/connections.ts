import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

type Connection = { served: number; readonly answering: Set<ServerResponse> };

/** The open connections of a server and the answers on their way on them. */
export type Connections = Readonly<{
  /** Takes note of a request; its answer is the connection's last one after `maxRequests`, or once closing has begun. */
  note(request: IncomingMessage, response: ServerResponse): void;
  /** Whether bytes of an answer have gone out, so that no other may follow yet. */
  busy(socket: Duplex): boolean;
  /** From now on each answer ends its connection. */
  beginClosing(): void;
  destroyIdle(): void;
  destroyAll(): void;
}>;

/** Keeps count of a server's connections. */
export const trackConnections = (server: Server, maxRequests: number): Connections => {
  const connections = new Map<Duplex, Connection>();
  let closing = false;
  server.on('connection', (socket: Duplex) => {
    connections.set(socket, { served: 0, answering: new Set() });
    socket.once('close', () => connections.delete(socket));
  });
  return {
    note: ({ socket }, response) => {
      const connection = connections.get(socket);
      if (!connection) return;
      connection.served += 1;
      connection.answering.add(response);
      response.once('close', () => connection.answering.delete(response));
      if (closing || connection.served >= maxRequests) response.setHeader('Connection', 'close');
    },
    busy: (socket) =>
      [...(connections.get(socket)?.answering ?? [])].some((response) => response.headersSent),
    beginClosing: () => {
      closing = true;
      for (const response of [...connections.values()].flatMap(({ answering }) => [...answering]))
        if (!response.headersSent) response.setHeader('Connection', 'close');
    },
    destroyIdle: () => {
      for (const [socket, { answering }] of connections) if (answering.size === 0) socket.destroy();
    },
    destroyAll: () => {
      for (const socket of connections.keys()) socket.destroy();
    },
  };
};
