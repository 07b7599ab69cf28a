import { hash } from 'node:crypto';
import { type Html, html } from './html.ts';
import { style } from './style.ts';

/** A page and its headers. */
export type PageAnswer = Readonly<{ headers: Readonly<Record<string, string>>; body: Buffer }>;

/** A whole page, with its style and without scripts: it loads nothing. */
export const layout = (title: string, content: Html): PageAnswer => ({
  headers: pageHeaders,
  body: Buffer.from(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body>
${content}
</body>
</html>
`.html,
  ),
});

const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'public, max-age=300',
};
