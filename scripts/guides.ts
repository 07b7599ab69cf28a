import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild-wasm';
import type { Shelf } from '../http/docs/guides/guide.ts';
import { compressIn } from './compressed.ts';
import { contentsOf } from './guides/contents.ts';
import { filesIn } from './guides/links.ts';
import { guideOf } from './guides/render.ts';

// `npm run build`: the pages of docs/ that are served at /docs/guides, made once, so that no service needs
// their sources; and what the pages at /docs load.
const SOURCE = 'docs';
const PAGES = 'http/docs/browser';
const SERVED = 'dist/docs';

const rows = contentsOf(readFileSync('README.md', 'utf8'));
const served = new Set(rows.flatMap(({ names }) => names));
const shelves: readonly Shelf[] = rows.map(({ purpose, names }) => ({
  purpose,
  guides: names.map((name) => guideOf(name, readFileSync(join(SOURCE, `${name}.md`), 'utf8'), served)),
}));
writeFileSync('dist/guides.json', JSON.stringify(shelves));

rmSync(SERVED, { recursive: true, force: true });
mkdirSync(SERVED, { recursive: true });
for (const { html } of shelves.flatMap(({ guides }) => guides))
  for (const path of filesIn(html)) cpSync(join(SOURCE, path), join(SERVED, 'guides', path));
const outcome = { outdir: SERVED, bundle: true, minify: true, logLevel: 'warning' } as const;
await build({ ...outcome, entryPoints: [join(PAGES, 'style.css')] });
await build({
  ...outcome,
  entryPoints: { page: join('dist/browser', PAGES, 'main.js') },
  format: 'esm',
  target: 'es2022',
});
compressIn(SERVED);
