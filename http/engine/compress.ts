import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { onceFor } from '../../kernel/once.ts';
import { isSharedWithPages } from './access/cors.ts';
import type { Context } from './koa.ts';
import { takes } from './request/encodings.ts';

/** Where a smaller answer would not arrive sooner. */
const MIN_BYTES = 2_048;

/** A list of 18 kB takes some 0.15 ms; higher levels save little. */
const LEVEL = 4;

const MEDIA = /^(application\/(problem\+)?json|text\/html)\b/;

/**
 * Whether answers of this media type are compressed here. Those with a secret never are (BREACH): a secret is
 * shown by an answer to a POST, or under /api/auth. Files have been compressed by the build (files.ts).
 */
export const isCompressible = ({ method, state }: Context, media: string): boolean =>
  MEDIA.test(media) &&
  (method === 'GET' || method === 'HEAD' || media.startsWith('application/problem')) &&
  !isSharedWithPages(state.path);

/** Whether an answer of this length is compressed for the client. */
export const isWorthIt = ({ req }: Context, bytes: number): boolean =>
  bytes > MIN_BYTES && takes(req.headers['accept-encoding'], 'gzip');

const gzipped = promisify(gzip);
const zip = (content: Buffer | string): Promise<Buffer> => gzipped(content, { level: LEVEL });
const zipOnce = onceFor<Buffer, Promise<Buffer>>(zip);

/**
 * The bytes as gzip. Those that are sent again and again, such as the document of the API, are compressed
 * once.
 */
export const compressed = (content: Buffer | string): Promise<Buffer> =>
  typeof content === 'string' ? zip(content) : zipOnce(content);
