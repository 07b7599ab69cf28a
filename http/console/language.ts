import type { IncomingHttpHeaders } from 'node:http';
import { cookieOf } from '../engine/access/cookies.ts';
import { weightsOf } from '../engine/request/encodings.ts';
import { ORIGINAL } from './files.ts';

/** The cookie of the language that the person has chosen, which console/app/language.ts sets. */
const LANGUAGE_COOKIE = 'intake-language';

/** By which headers a page in the language of its reader differs. */
export const VARIES = 'Accept-Language, Cookie';

/**
 * The one of some languages in which a page is read: the person's choice, else what the browser likes best of
 * them (RFC 9110, 12.5.4), a regional form as its language; else the original.
 */
export const languageOf = (headers: IncomingHttpHeaders, languages: readonly string[]): string => {
  const chosen = cookieOf(headers, LANGUAGE_COOKIE);
  const liked = [...weightsOf(headers['accept-language'])]
    .filter(([, weight]) => weight > 0)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name]) => name.split('-')[0]);
  return [chosen, ...liked].find((name) => languages.some((one) => one === name)) ?? ORIGINAL;
};
