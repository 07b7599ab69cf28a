import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

type Connection = {
  readonly socket: Socket;
  served: number;
  last: boolean;
  /** How many bytes had come when its last request and the answer to it were over. */
  known: number;
  readonly answering: Map<ServerResponse, number>;
};

/** `requests` in all on a connection, `pipelined` before the first of them is answered, `answerMs` from a request's head to the end of its answer. */
type ConnectionLimits = Readonly<{ requests: number; pipelined: number; answerMs: number }>;

/** The open connections of a server and the answers on their way on them. */
export type Connections = Readonly<{
  /**
   * Takes note of a request, and says whether to serve it. Its answer is the connection's last one where a limit is reached, once closing has
   * begun, or where an upgrade was asked for; what was sent behind it is left alone, since nobody would learn what came of it.
   */
  note(request: IncomingMessage, response: ServerResponse): boolean;
  /**
   * Calls `refuse` once the answers to all complete requests are out, so that a refusal is not taken for one of them, with the answer that
   * an incomplete one was to have; destroys the socket when part of that is out.
   */
  afterAnswers(socket: Duplex, refuse: (begun: ServerResponse | undefined) => void): void;
  /** From now on each answer ends its connection. */
  beginClosing(): void;
  /** Ends those on which nothing is under way: no answer, and no request of which a part has come. */
  destroyIdle(): void;
  destroyAll(): void;
}>;

/** Keeps count of a server's connections. */
export const trackConnections = (server: Server, limits: ConnectionLimits): Connections => {
  const connections = new Map<Duplex, Connection>();
  let closing = false;
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { socket, served: 0, last: false, known: 0, answering: new Map() });
    socket.once('close', () => connections.delete(socket));
  });
  // A client that reads its answer byte by byte is never silent for long.
  const endOverdue = (): void => {
    const oldest = performance.now() - limits.answerMs;
    for (const [socket, { answering }] of connections)
      if ([...answering.values()].some((begun) => begun < oldest)) socket.destroy();
  };
  server.once('listening', () => {
    const sweep = setInterval(endOverdue, limits.answerMs / 4);
    server.once('close', () => clearInterval(sweep));
  });
  return {
    note: (request, response) => {
      const { socket, headers } = request;
      const connection = connections.get(socket);
      if (!connection || connection.last) return false;
      const { answering } = connection;
      connection.served += 1;
      answering.set(response, performance.now());
      const over = (): void => {
        connection.known = socket.bytesRead;
      };
      response.once('close', () => {
        answering.delete(response);
        over();
      });
      // The rest of a body that nobody wanted comes after its answer.
      request.once('end', over);
      const full = connection.served >= limits.requests || answering.size >= limits.pipelined;
      // After a request for an upgrade Node reads no further on its connection, though nobody upgrades it.
      connection.last = closing || full || headers.upgrade !== undefined;
      if (connection.last) response.setHeader('Connection', 'close');
      return true;
    },
    afterAnswers: (socket, refuse) => {
      const answering = connections.get(socket)?.answering ?? new Map<ServerResponse, number>();
      const next = (): void => {
        const [pending] = [...answering.keys()].filter(({ req }) => req.complete);
        if (pending) pending.once('close', next);
        else if ([...answering.keys()].some(({ headersSent }) => headersSent)) socket.destroy();
        else refuse([...answering.keys()].at(-1));
      };
      next();
    },
    beginClosing: () => {
      closing = true;
      for (const response of [...connections.values()].flatMap(({ answering }) => [...answering.keys()]))
        if (!response.headersSent) response.setHeader('Connection', 'close');
    },
    destroyIdle: () => {
      for (const { socket, answering, known } of connections.values())
        if (answering.size === 0 && socket.bytesRead === known) socket.destroy();
    },
    destroyAll: () => {
      for (const socket of connections.keys()) socket.destroy();
    },
  };
};
