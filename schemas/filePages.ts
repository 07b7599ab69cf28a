import { MAX_WORD_LENGTH, MAX_WORDS } from '../domain/pageWords.ts';
import { Box, PageSize } from '../domain/submission/processingResult.ts';
import { example, meaning, nullable, type Of, oneOf, Type } from '../kernel/schema.ts';

export const FilePage = Type.Object({
  page: Type.Integer({ minimum: 1 }),
  size: nullable(
    meaning(PageSize, 'in the units of the boxes in `result`: pixels, or points of a PDF; null for text'),
  ),
});

export const PageMediaType = oneOf(['image/jpeg', 'text/plain']);

/** GET …/files/{fileId}/pages: how a file can be shown. */
export const FilePages = Type.Object({
  mediaType: meaning(PageMediaType, 'what each page is sent as'),
  pages: Type.Array(FilePage, { minItems: 1, maxItems: 200 }),
});
export type FilePages = Of<typeof FilePages>;

/** A picture of a page, or the text that it is, in UTF-8. */
export const PageContent = Type.Unsafe<Uint8Array>({
  type: 'string',
  format: 'binary',
  description: 'A picture of the page, or its text.',
});

export const PageWord = Type.Object({
  text: example(Type.String({ minLength: 1, maxLength: MAX_WORD_LENGTH }), 'ACME'),
  box: meaning(Box, 'around the word, in the units of the boxes in `result`', {
    ...{ left: 112, top: 80, right: 318.5, bottom: 131 },
  }),
});

/** GET …/pages/{page}/words: what was read on a page. */
export const PageWords = Type.Object({
  words: meaning(
    Type.Array(PageWord, { maxItems: MAX_WORDS }),
    'line by line; empty where no words with boxes were kept',
  ),
});
export type PageWords = Of<typeof PageWords>;
