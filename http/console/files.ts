import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../../kernel/once.ts';

/** A file as it is served. */
export type Served = Readonly<{ media: string; bytes: Buffer; tag: string }>;

/** The files of the console by their addresses below `/console/`, each read when it is first asked for. */
export type ConsoleFiles = ReadonlyMap<string, () => Served>;

const MEDIA: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
};

/** The module that a page of the console starts with. */
export const MAIN = 'app/main.js';

/** The files of the folder that the console was compiled to; null where that was not done. */
export const consoleFiles = (folder: string): ConsoleFiles | null => {
  if (!existsSync(join(folder, MAIN))) return null;
  const own = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file.slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''), file] as const);
  return new Map(
    own
      .filter(([path]) => extensionOf(path) in MEDIA)
      .map(([path, file]) => [path, once(() => served(path, file))]),
  );
};

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

const served = (path: string, file: string): Served => {
  const bytes = readFileSync(file);
  return { media: MEDIA[extensionOf(path)] ?? '', bytes, tag: tagOf(bytes) };
};

/** The entity tag of bytes. */
export const tagOf = (bytes: Buffer): string => `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
