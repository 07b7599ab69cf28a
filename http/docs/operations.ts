import type { OpenApi, Operation } from '../openapi/types.ts';

/** An operation of a path. */
export type PathOperation = Readonly<{ method: string; path: string; operation: Operation }>;

/** The operations of a document, in its order. */
export const operationsOf = ({ paths }: OpenApi): readonly PathOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );

/** The tags that have operations, each with them. */
export const tagsWithOperations = (document: OpenApi) =>
  document.tags.flatMap((tag) => {
    const operations = operationsOf(document).filter(({ operation }) => operation.tags.includes(tag.name));
    return operations.length > 0 ? [{ ...tag, operations }] : [];
  });

/** The anchor of a tag's chapter. */
export const chapterId = (name: string): string => `chapter-${name.toLowerCase().replaceAll(' ', '-')}`;
