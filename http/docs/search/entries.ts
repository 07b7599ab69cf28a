import { problemTypes } from '../../engine/problems/problemTypes.ts';
import { operationsOf } from '../operations.ts';
import type { Site } from '../site.ts';

/** What a search may find: `kind` says what it is, `href` leads there from the service's address. */
export type Entry = Readonly<{ kind: string; title: string; href: string; text: string }>;

/** The operations, the sections of the guides, the problems and the webhooks of the pages. */
export const entriesOf = ({ document, shelves }: Site): readonly Entry[] => [
  ...operationsOf(document).map(({ method, path, operation }) => ({
    kind: 'Operation',
    title: operation.summary,
    href: `docs#${operation.operationId}`,
    text: `${method.toUpperCase()} ${path} ${plain(operation.description ?? '')} ${operation.operationId}`,
  })),
  ...shelves
    .flatMap(({ guides }) => guides)
    .flatMap((guide) =>
      guide.sections.map(({ id, title, text }, index) => ({
        kind: index === 0 ? 'Guide' : guide.title,
        title,
        href: `docs/guides/${guide.name}${index === 0 ? '' : `#${id}`}`,
        text,
      })),
    ),
  ...Object.entries(problemTypes).map(([code, { title, means, remedy }]) => ({
    kind: 'Problem',
    title,
    href: `problems/${code}`,
    text: `${code} ${plain(`${means} ${remedy}`)}`,
  })),
  ...Object.entries(document.webhooks).map(([name, { post }]) => ({
    kind: 'Webhook',
    title: name,
    href: `docs#${post.operationId}`,
    text: `${post.summary} ${plain(post.description ?? '')}`,
  })),
];

const plain = (text: string): string => text.replaceAll(/[`*]/g, '');
