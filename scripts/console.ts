import { hash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild-wasm';
import { EARLY, MAIN } from '../http/console/files.ts';
import { compressIn } from './compressed.ts';

// `npm run build`: what `tsc -p console` compiled is joined to a few modules, the styles to one file,
// and the texts of each language stay one, all made smaller; what is text is compressed.
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
copyFileSync(join(SOURCE, 'icon.svg'), join(SERVED, 'icon.svg'));
for (const file of readdirSync(SOURCE).filter((one) => /^texts\..+\.json$/.test(one))) {
  const text = JSON.stringify(JSON.parse(readFileSync(join(SOURCE, file), 'utf8')));
  const digest = hash('sha256', text).slice(0, 8).toUpperCase();
  writeFileSync(join(SERVED, file.replace(/\.json$/, `-${digest}.json`)), text);
}
compressIn(SERVED);
