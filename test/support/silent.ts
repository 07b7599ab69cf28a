import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Somebody who never answers: its port, how many connections are open there, and how many were made. */
export type Silent = Readonly<{
  port: number;
  open(): number;
  made(): number;
  close(): Promise<void>;
}>;

/** Listens, accepts and never answers, as a frozen process does. */
export const listenSilently = async (host = '127.0.0.1', at = 0): Promise<Silent> => {
  const sockets = new Set<Socket>();
  let made = 0;
  const server: Server = createServer((socket) => {
    made += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Read, so that the other side's end is seen.
    socket.on('error', () => undefined).resume();
  }).listen(at, host);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const close = async (): Promise<void> => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  return { port, open: () => sockets.size, made: () => made, close };
};

const BLACK_HOLE = `
require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
  console.log(this.address().port);
});`;

/** A port of this machine's own that drops packets: a stopped process whose queue of connections is full. */
export const openBlackHole = async (): Promise<Readonly<{ port: number; close(): Promise<void> }>> => {
  const child = spawn(process.execPath, ['-e', BLACK_HOLE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const port = Number(line);
  child.kill('SIGSTOP');
  const filling: Socket[] = [];
  for (let isFull = false; !isFull; ) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    filling.push(socket);
    isFull = await Promise.race([
      once(socket, 'connect').then(() => false),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 500)),
    ]);
  }
  const close = async (): Promise<void> => {
    for (const socket of filling) socket.destroy();
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return { port, close };
};
