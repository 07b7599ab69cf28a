import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../../kernel/once.ts';
import type { Page } from './pages.ts';
import { takes } from './request/encodings.ts';

type Form = Readonly<{ bytes: Buffer; tag: string }>;

/** A file as it is served; `brotli` is its compressed form, where the build has made one. */
export type Served = Form & Readonly<{ media: string; brotli: Form | null }>;

/** Files by their addresses below that of their folder, each read when it is first asked for. */
export type Files = ReadonlyMap<string, () => Served>;

const MEDIA: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  mjs: 'text/plain; charset=utf-8',
};

/** The files of a folder that browsers load; none where the folder is not there. */
export const filesOf = (folder: string): Files => {
  const own = existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [file.slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''), file] as const)
    : [];
  return new Map(
    own
      .filter(([path]) => extensionOf(path) in MEDIA)
      .map(([path, file]) => [path, once(() => served(path, file))]),
  );
};

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

const served = (path: string, file: string): Served => {
  const brotli = existsSync(`${file}.br`) ? formOf(readFileSync(`${file}.br`)) : null;
  return { media: MEDIA[extensionOf(path)] ?? '', ...formOf(readFileSync(file)), brotli };
};

const formOf = (bytes: Buffer): Form => ({ bytes, tag: tagOf(bytes) });

/** The entity tag of bytes. */
export const tagOf = (bytes: Buffer): string => `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;

/** A browser asks each time whether a file has changed: a new release is there with the next page. */
export const FILE_HEADERS = { 'Cache-Control': 'no-cache' } as const;

/** The name of such a file has a hash of what is in it. */
const HASHED = /-[A-Z0-9]{8}\.(js|css|json)$/;
const HASHED_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' } as const;

/** What is served at an address, as a page. `name` and `template` are what is counted and logged. */
export const pageAt = (
  name: string,
  template: string,
  served: () => Served,
  headers: Readonly<Record<string, string>> = HASHED.test(template) ? HASHED_HEADERS : FILE_HEADERS,
): Page => ({
  name,
  template,
  read: (request) => {
    const { media, brotli, ...plain } = served();
    const { bytes, tag } = (takes(request['accept-encoding'], 'br') && brotli) || plain;
    const form = {
      ...(brotli && { Vary: 'Accept-Encoding' }),
      ...(bytes === brotli?.bytes && { 'Content-Encoding': 'br' }),
    };
    return { status: 200, media, body: bytes, headers: { ...headers, ...form, ETag: tag } };
  },
});
