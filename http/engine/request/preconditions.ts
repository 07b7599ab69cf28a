import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { malformed, Problem } from '../problems/problem.ts';

/** Gets the revision that a decision is about to be made on; throws 412 when If-Match does not name it. */
export type Guard = (revision: number) => void;

/** The entity tag of a stream's revision (conditions-1). */
export const entityTag = (revision: number): Readonly<{ ETag: string }> => ({ ETag: `"${revision}"` });

/** The entity tag of what these parts determine, byte for byte. */
export const contentTag = (...parts: readonly (string | number)[]): Readonly<{ ETag: string }> => ({
  ETag: `"${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 24)}"`,
});

const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const LIST = new RegExp(`^[ \\t,]*${TAG}(?:[ \\t]*,(?:[ \\t]*${TAG})?)*[ \\t]*$`);
const EACH = new RegExp(TAG, 'g');

/**
 * Whether a client that reads has this entity already: its If-None-Match names the tag, compared weakly (RFC
 * 9110, 13.1.2; conditions-3). Not Koa's `fresh`, which never is for `fetch`: that adds `Cache-Control:
 * no-cache`.
 */
export const isUnmodified = ({ method, headers }: IncomingMessage, tag: string | undefined): boolean => {
  const header = headers['if-none-match'];
  if (header === undefined || tag === undefined || method === 'POST') return false;
  const own = opaque(tag);
  return header.trim() === '*' || (header.match(EACH) ?? []).some((one) => opaque(one) === own);
};

const opaque = (tag: string): string => tag.replace('W/', '');

/**
 * The guard of an If-Match header (RFC 9110, 13.1.1): it accepts any of the tags listed, compared strongly,
 * so that a weak one never matches. None for `*` or no header. Throws 400 for a malformed header.
 */
export const readIfMatch = (header: string | undefined): Guard | undefined => {
  if (header === undefined || header.trim() === '*') return undefined;
  if (!LIST.test(header)) {
    const detail = 'If-Match must be * or a list of entity tags such as "3".';
    throw malformed([{ pointer: '/headers/if-match', detail }]);
  }
  const tags: readonly string[] = header.match(EACH) ?? [];
  return (revision) => {
    if (!tags.includes(entityTag(revision).ETag)) throw new Problem('precondition-failed');
  };
};
