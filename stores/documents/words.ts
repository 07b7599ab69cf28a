import { readerOf } from './memberPaths.ts';
import type { Scalar, Where, Words } from './port.ts';

/** The words of a document, each once. */
export const wordsOf = (words: Words, document: object): readonly string[] => [
  ...new Set(words.wordsIn(words.text(document))),
];

/** The values that a document has at paths. */
export const valuesAt = (paths: readonly string[], document: object): readonly Scalar[] =>
  paths.map((path) => readerOf(path)(document));

/** The values that conditions fix at paths. Throws where one fixes none. */
export const fixedAt = (paths: readonly string[], where: Where): readonly Scalar[] =>
  paths.map((path) => {
    const value = where[path];
    if (value === undefined || (typeof value === 'object' && value !== null))
      throw new Error(`a query for words fixes no value at ${path}`);
    return value;
  });
