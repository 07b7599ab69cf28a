import { html } from '../html.ts';
import { layout, type PageAnswer } from '../layout.ts';
import { navigation } from '../navigation.ts';
import type { Site } from '../site.ts';
import { namerOf, withLinks } from './mentions.ts';

const ROOT = '../../';

/** The page of each guide, by its name: GET /docs/guides/{guide}. */
export const guidePages = (site: Site): ReadonlyMap<string, PageAnswer> => {
  const namer = namerOf(site.document);
  const guides = site.shelves.flatMap((shelf) => shelf.guides);
  return new Map(
    guides.map((guide) => [
      guide.name,
      layout({
        title: `${guide.title} · ${site.document.info.title}`,
        root: ROOT,
        navigation: navigation(site, { root: ROOT, shown: guide.name }),
        content: html`<div class="guide">
${{ html: withLinks(guide.html, namer, `${ROOT}docs`) }}
</div>`,
      }),
    ]),
  );
};
