import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build, start } from './program.ts';
import type { Engine, Say } from './start.ts';

/** FerretDB 1.24 on SQLite: it speaks MongoDB's protocol. Listens on a free port. */
export const startFerretDb = async (folder: string, say: Say): Promise<Engine> => {
  const program = await build('ferretdb', '.', folder, say);
  const data = join(folder, 'documents');
  await mkdir(data);
  const server = start(program, [data]);
  const url = await server.firstLine;
  say(`FerretDB answers at ${url}`);
  return { settings: { MONGODB_URL: `${url}intake` }, close: server.stop };
};
