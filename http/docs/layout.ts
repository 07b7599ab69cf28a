import { tagOf } from '../engine/files.ts';
import { PERMISSIONS } from '../engine/pages.ts';
import { type Html, html } from './html.ts';

/** A page and its headers. */
export type PageAnswer = Readonly<{ headers: Readonly<Record<string, string>>; body: Buffer }>;

/**
 * `root` leads from the page's address to that of the service; `address` is the service's in samples, in
 * whose place the page's script puts where the reader is.
 */
type Parts = Readonly<{ title: string; root: string; address?: string; navigation?: Html; content: Html }>;

/** A whole page. All that it loads is of this service. */
export const layout = ({ title, root, address, navigation, content }: Parts): PageAnswer => {
  const body = Buffer.from(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${root}console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}docs/style.css">
<script type="module" src="${root}docs/page.js"></script>
</head>
<body>
${navigation ?? null}
<main id="top"${address === undefined ? null : html` data-address="${address}"`}>
${content}
</main>
</body>
</html>
`.html,
  );
  return { headers: { ...HEADERS, ETag: `W/${tagOf(body)}` }, body };
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  ...PERMISSIONS,
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-cache',
} as const;
