import { type Html, html } from '../docs/html.ts';
import { type Served, tagOf } from '../engine/files.ts';
import type { ConsoleFiles } from './files.ts';
import { neededBy } from './modules.ts';

/**
 * The one page of the console, in a language that it has texts of. `base` is the path under which browsers
 * reach the service, without a slash at its end. The page names each module that its start needs, and its
 * texts, so that none waits for the one that asks for it. Without `crossorigin` the browser would not give
 * its answer to the `fetch` of console/texts.ts.
 */
export const consolePage = (compiled: ConsoleFiles, base: string, language: string): Served => {
  const path = compiled.texts.get(language) ?? '';
  const texts: PageTexts = JSON.parse(compiled.files.get(path)?.().bytes.toString() ?? '');
  const bytes = Buffer.from(
    html`<!doctype html>
<html lang="${language}" data-base="${base}" data-texts="${path}"
  data-languages="${[...compiled.texts.keys()].join(' ')}" data-failed="${texts.pageFailed}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${texts.product}</title>
<link rel="icon" href="${base}/console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${base}/console/${compiled.style}">
<script type="module" async src="${base}/console/${compiled.early}"></script>
<link rel="preload" as="fetch" type="application/json" href="${base}/console/${path}" crossorigin>
${preloads(compiled, base)}
<script type="module" src="${base}/console/${compiled.main}"></script>
</head>
<body>
<div id="console"></div>
<noscript>${texts.noScript}</noscript>
</body>
</html>
`.html,
  );
  return { media: 'text/html; charset=utf-8', bytes, tag: tagOf(bytes), brotli: null };
};

/** What the page says before, or without, its modules. */
type PageTexts = Readonly<{ product: string; noScript: string; pageFailed: string }>;

const preloads = (compiled: ConsoleFiles, base: string): readonly Html[] =>
  [...startModules(compiled)].map(
    (path) => html`<link rel="modulepreload" href="${base}/console/${path}">
`,
  );

/** The first module, and all that it needs before it runs. */
const startModules = ({ files, main }: ConsoleFiles): ReadonlySet<string> => {
  const found = new Set([main]);
  for (const path of found)
    for (const needed of neededBy(path, files.get(path)?.().bytes.toString() ?? '')) found.add(needed);
  return found;
};
