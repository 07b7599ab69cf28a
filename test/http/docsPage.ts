/** A sample of /docs. */
export type Sample = Readonly<{ operation: string; language: string; text: string }>;

/** The operations and webhooks of /docs, each with its HTML. */
export const articlesIn = (page: string): readonly Readonly<{ id: string; html: string }>[] =>
  [...page.matchAll(/<article id="([\w-]+)"[^>]*>([\s\S]*?)<\/article>/g)].map(([, id = '', html = '']) => ({
    id,
    html,
  }));

/** The samples of /docs, as a reader copies them. */
export const samplesIn = (page: string): readonly Sample[] =>
  articlesIn(page).flatMap(({ id, html }) =>
    [...html.matchAll(FIGURE)].map(([, language = '', text = '']) => ({
      operation: id,
      language,
      text: plain(text),
    })),
  );

const FIGURE = /<figure data-language="(\w+)">[\s\S]*?<code>([\s\S]*?)<\/code>/g;

const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
const plain = (html: string): string =>
  html.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => CHARACTERS[name] ?? '');
