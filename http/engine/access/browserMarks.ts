import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { NameOf } from '../../../kernel/hmac.ts';

/** The cookie of a browser in which somebody has logged in. */
export const BROWSER_COOKIE = '__Host-intake-browser';
/** How long a browser is known, in seconds. */
export const KNOWN_S = 365 * 86_400;

/**
 * What tells browsers apart in which the person of an e-mail has logged in before (logins-20): a random
 * identifier, bound to the e-mail by an HMAC. Nothing is stored of it, and it opens nothing.
 */
export const createBrowserMarks = (nameOf: NameOf) => {
  const proofOf = (id: string, email: string): string => nameOf('browser', id, email);
  return {
    /** The value of a new cookie, for this normalised e-mail. */
    issue: (email: string): string => {
      const id = randomBytes(16).toString('base64url');
      return `${id}.${proofOf(id, email)}`;
    },
    /**
     * The identifier of the browser by its cookie; null without one, or for one that is of another e-mail.
     */
    browserOf: (value: string | null, email: string): string | null => {
      const [id = '', proof = ''] = (value ?? '').split('.');
      const expected = proofOf(id, email);
      const isOwn =
        proof.length === expected.length && timingSafeEqual(Buffer.from(proof), Buffer.from(expected));
      return isOwn ? id : null;
    },
  };
};
