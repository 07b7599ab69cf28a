import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build, start } from './program.ts';
import type { Engine, Say } from './start.ts';
import { writesInTurn } from './writesInTurn.ts';

/**
 * FerretDB 1.24 on SQLite: a server with MongoDB's protocol, and does one write at a time. Listens on a free
 * port.
 */
export const startFerretDb = async (folder: string, say: Say): Promise<Engine> => {
  const program = await build('ferretdb', '.', say);
  const data = join(folder, 'documents');
  await mkdir(data);
  const server = start(program, [data]);
  const { hostname, port } = new URL(await server.firstLine);
  const gate = await writesInTurn({ host: hostname, port: Number(port) });
  say(`FerretDB answers at ${gate.address}`);
  const close = async (): Promise<void> => {
    await gate.close();
    await server.stop();
  };
  return { settings: { MONGODB_URL: `mongodb://${gate.address}/intake` }, close };
};
