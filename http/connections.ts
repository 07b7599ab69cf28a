import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

type Connection = { served: number; readonly answering: Set<ServerResponse> };

/** The open connections of a server and the answers on their way on them. */
export type Connections = Readonly<{
  /** Takes note of a request; its answer is the connection's last one after `maxRequests`, once closing has begun, or where an upgrade was asked for. */
  note(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Calls `refuse` once the answers to all complete requests are out, so that a refusal is not taken for one of them, with the answer that
   * an incomplete one was to have; destroys the socket when part of that is out.
   */
  afterAnswers(socket: Duplex, refuse: (begun: ServerResponse | undefined) => void): void;
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
    note: ({ socket, headers }, response) => {
      const connection = connections.get(socket);
      if (!connection) return;
      connection.served += 1;
      connection.answering.add(response);
      response.once('close', () => connection.answering.delete(response));
      // After a request for an upgrade Node reads no further on its connection, though nobody upgrades it.
      const last = closing || connection.served >= maxRequests || headers.upgrade !== undefined;
      if (last) response.setHeader('Connection', 'close');
    },
    afterAnswers: (socket, refuse) => {
      const answering = connections.get(socket)?.answering ?? new Set<ServerResponse>();
      const next = (): void => {
        const [pending] = [...answering].filter(({ req }) => req.complete);
        if (pending) pending.once('close', next);
        else if ([...answering].some(({ headersSent }) => headersSent)) socket.destroy();
        else refuse([...answering].at(-1));
      };
      next();
    },
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
