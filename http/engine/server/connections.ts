import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hasBody } from '../request/body.ts';

type Connection = {
  readonly socket: Socket;
  served: number;
  last: boolean;
  /** Bytes read when its last request and answer ended: more than that is part of another request. */
  settledBytes: number;
  readonly answering: Map<ServerResponse, Progress>;
};

/**
 * When an answer was begun, or had last come on enough, and how many bytes its connection had sent by then.
 */
type Progress = { at: number; sent: number };

/**
 * `requests` in all on a connection, `pipelined` while none of them is answered, `answerMs` from a request's
 * head to the end of its answer, or to the next `MIN_SENT` bytes of it.
 */
type ConnectionLimits = Readonly<{ requests: number; pipelined: number; answerMs: number }>;

/** A large file may take as long as it needs, if so many bytes of it are sent in each `answerMs`. */
const MIN_SENT = 256 * 1024;

export type Connections = ReturnType<typeof trackConnections>;

/** Tracks the open connections of a server and their unfinished answers. */
export const trackConnections = (server: Server, limits: ConnectionLimits) => {
  const connections = new Map<Duplex, Connection>();
  let closing = false;
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { socket, served: 0, last: false, settledBytes: 0, answering: new Map() });
    socket.once('close', () => connections.delete(socket));
  });
  // One function for all: closures for each request would cost it more than all else here.
  function settle(this: IncomingMessage | ServerResponse): void {
    const { socket } = 'req' in this ? this.req : this;
    const connection = connections.get(socket);
    if (!connection) return;
    if ('req' in this) connection.answering.delete(this);
    connection.settledBytes = socket.bytesRead;
  }
  // The socket's timeout does not catch a client that reads its answer byte by byte.
  const destroyOverdue = (): void => {
    for (const { socket, answering } of connections.values())
      for (const progress of answering.values())
        if (isOverdue(progress, sentBy(socket), limits.answerMs)) socket.destroy();
  };
  server.once('listening', () => {
    const sweep = setInterval(destroyOverdue, limits.answerMs / 4);
    server.once('close', () => clearInterval(sweep));
  });
  return {
    /**
     * Registers a request; false where it must not be served. Its answer is the connection's last where a
     * limit is reached, during closing, and after a request for an upgrade; requests after it are not served,
     * since they would get no answer.
     */
    register: (request: IncomingMessage, response: ServerResponse): boolean => {
      const { socket, headers } = request;
      const connection = connections.get(socket);
      if (!connection || connection.last) return false;
      const { answering } = connection;
      connection.served += 1;
      answering.set(response, { at: performance.now(), sent: sentBy(socket) });
      response.on('close', settle);
      // The rest of an unread body comes after its answer.
      if (hasBody(request)) request.on('end', settle);
      const full = connection.served >= limits.requests || answering.size >= limits.pipelined;
      // After a request for an upgrade Node reads no more from its connection.
      connection.last = closing || full || headers.upgrade !== undefined;
      if (connection.last) response.setHeader('Connection', 'close');
      return true;
    },
    /**
     * Calls `refuse` once all complete requests are answered, so that the refusal is not taken for an answer
     * to one of them; with the response of an incomplete request. Destroys the socket if part of that is
     * sent.
     */
    afterAnswers: (socket: Duplex, refuse: (unanswered: ServerResponse | undefined) => void): void => {
      const answering = connections.get(socket)?.answering ?? new Map<ServerResponse, Progress>();
      const next = (): void => {
        const [pending] = [...answering.keys()].filter(({ req }) => req.complete);
        if (pending) pending.once('close', next);
        else if ([...answering.keys()].some(({ headersSent }) => headersSent)) socket.destroy();
        else refuse([...answering.keys()].at(-1));
      };
      next();
    },
    /** From now on each answer closes its connection. */
    beginClosing: (): void => {
      closing = true;
      for (const response of [...connections.values()].flatMap(({ answering }) => [...answering.keys()]))
        if (!response.headersSent) response.setHeader('Connection', 'close');
    },
    /** Destroys those without an unfinished answer or a partly received request. */
    destroyIdle: (): void => {
      for (const { socket, answering, settledBytes } of connections.values())
        if (answering.size === 0 && socket.bytesRead === settledBytes) socket.destroy();
    },
    destroyAll: (): void => {
      for (const socket of connections.keys()) socket.destroy();
    },
  };
};

const sentBy = (socket: Socket): number => socket.bytesWritten - socket.writableLength;

/** Whether an answer has come on too little for too long; notes how far one is that has not. */
const isOverdue = (progress: Progress, sent: number, answerMs: number): boolean => {
  const now = performance.now();
  if (sent - progress.sent < MIN_SENT) return now - progress.at > answerMs;
  Object.assign(progress, { at: now, sent });
  return false;
};
