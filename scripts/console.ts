import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild-wasm';
import { EARLY, MAIN } from '../http/console/files.ts';
import { compressIn } from './compressed.ts';

// `npm run build`: what `tsc -p console` compiled is joined to a few modules, and the styles to one file,
// both made smaller; the files beside them are added, and what is text is compressed.
const SOURCE = 'console';
const COMPILED = 'dist/browser/console';
const SERVED = 'dist/console';

const bundle = (folder: string, paths: readonly string[], more: BuildOptions = {}) =>
  build({
    entryPoints: paths.map((path) => join(folder, path)),
    outbase: folder,
    outdir: SERVED,
    bundle: true,
    minify: true,
    charset: 'utf8',
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    ...more,
  });

rmSync(SERVED, { recursive: true, force: true });
const modules = readdirSync(COMPILED, { recursive: true, encoding: 'utf8' });
// Elements are calls of `h`, which nothing imports (console/jsx.d.ts).
const hashed = { entryNames: '[dir]/[name]-[hash]' };
const joined = { ...hashed, splitting: true, chunkNames: 'modules/[name]-[hash]', inject: ['preact'] };
await bundle(COMPILED, [MAIN], joined);
await bundle(COMPILED, [EARLY], hashed);
await bundle(
  COMPILED,
  modules.filter((path) => path.endsWith('Worker.js')),
);
await bundle(SOURCE, ['style.css'], hashed);
for (const file of readdirSync(SOURCE).filter((one) => /\.svg$|^texts\..+\.json$/.test(one)))
  copyFileSync(join(SOURCE, file), join(SERVED, file));
compressIn(SERVED);
