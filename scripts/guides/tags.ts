import { escapeMarkup } from '../../kernel/escape.ts';

/** What pages of docs/ may say in HTML: anchors, line breaks and pictures beside them. */
const ALLOWED =
  /^<(?:a id="[\w-]+"|\/a|br|\/?picture|(?:img|source)(?: (?:src|srcset|media|alt|width)="[^"<>]*")+)>$/;

/** HTML within Markdown: tags that a page may have stay, all others become text. */
export const tagsOf = (text: string): string =>
  text.replaceAll(/<[^>]*>?/g, (tag) => {
    if (!ALLOWED.test(tag)) return escapeMarkup(tag);
    return tag.startsWith('<img ') ? tag.replace('<img ', '<img loading="lazy" ') : tag;
  });
