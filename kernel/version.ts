import { createRequire } from 'node:module';

/** The package's version. */
export const version: string = createRequire(import.meta.url)('../../package.json').version;
