import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** Writes FILE.br beside each text of a folder, for browsers that take brotli, where that is smaller. */
export const compressIn = (folder: string): void => {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|json|svg)$/.test(path)) continue;
    const bytes = readFileSync(join(folder, path));
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    const smaller = brotliCompressSync(bytes, { params: quality });
    if (smaller.length < bytes.length) writeFileSync(join(folder, `${path}.br`), smaller);
  }
};
