import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './freePort.ts';

/** Stands between a client and a server, well until it is told to be otherwise. */
export type TcpProxy = Readonly<{
  port: number;
  /** `127.0.0.1:port`. */
  address: string;
  /** How many connections stand now, and how many were made in all. */
  connections(): Readonly<{ open: number; made: number }>;
  /** Breaks every connection; new ones are as before. */
  cut(): void;
  /** As if the server were gone: breaks every connection, and nobody listens any more. */
  refuse(): Promise<void>;
  /** Connections stand and new ones are taken, but no byte passes. */
  stall(): void;
  /** Every piece passes that many milliseconds later. */
  delay(ms: number): void;
  /** Well again; what was held passes. */
  normal(): Promise<void>;
  close(): Promise<void>;
}>;

/** Forwards connections to `host:port`, from a port that stays the same. */
export const startTcpProxy = async (target: Readonly<{ host?: string; port: number }>): Promise<TcpProxy> => {
  const port = await freePort();
  const sockets = new Set<Socket>();
  const state = { delayMs: 0, made: 0, held: null as Promise<void> | null, release: () => {} };
  let server: Server | null = null;

  const passage = async (): Promise<void> => {
    if (state.delayMs > 0) await sleep(state.delayMs);
    while (state.held) await state.held;
  };
  const join = (client: Socket): void => {
    state.made += 1;
    const upstream = connect({ host: target.host ?? '127.0.0.1', port: target.port, noDelay: true });
    client.setNoDelay(true);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      pump(from, to, passage);
      from.once('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  };
  const listen = async (): Promise<void> => {
    if (server) return;
    server = createServer({ allowHalfOpen: true }, join).listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const pass = (): void => {
    state.held = null;
    state.release();
  };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const refuse = async (): Promise<void> => {
    const closed = server && once(server, 'close');
    server?.close();
    server = null;
    cut();
    pass();
    await closed;
  };
  await listen();
  return {
    port,
    address: `127.0.0.1:${port}`,
    connections: () => ({ open: sockets.size / 2, made: state.made }),
    cut,
    refuse,
    stall: () => {
      state.held ??= new Promise((resolve) => {
        state.release = resolve;
      });
    },
    delay: (ms) => {
      state.delayMs = ms;
    },
    normal: async () => {
      state.delayMs = 0;
      pass();
      await listen();
    },
    close: refuse,
  };
};

/** Piece by piece, each when it may pass; what breaks here breaks there. */
const pump = (from: Socket, to: Socket, passage: () => Promise<void>): void => {
  from.on('data', async (piece: Buffer) => {
    from.pause();
    await passage();
    to.write(piece, () => from.resume());
  });
  from.once('end', async () => {
    await passage();
    to.end();
  });
  // Its close tells the other side.
  from.on('error', () => from.destroy());
};
