import { randomUUID } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

// Run by bare.ts: stores each file that is put, durably, with nothing else.

const folder = process.argv[2] ?? '';
const directory = await open(folder, 'r');
const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const path = join(folder, randomUUID());
  const file = await open(`${path}.part`, 'wx', 0o600);
  await file.writeFile(Buffer.concat(parts));
  await file.sync();
  await file.close();
  await rename(`${path}.part`, path);
  await directory.sync();
  response.end();
}).listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
