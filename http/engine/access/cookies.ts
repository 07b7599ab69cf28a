import type { IncomingHttpHeaders } from 'node:http';

/** The cookie of a person's session: its prefix binds it to this host, over TLS or on this machine. */
export const SESSION_COOKIE = '__Host-intake';

/** The cookie of a log-in that was begun at the identity provider. */
export const ATTEMPT_COOKIE = '__Host-intake-log-in';

/**
 * The value of a request's cookie; null without one. Of several of one name none is taken: browsers keep one,
 * so that another was planted; what it gives is no token. Only blanks are trimmed: a name with other spaces,
 * which browsers do not protect by its prefix, is another name.
 */
export const cookieOf = ({ cookie = '' }: IncomingHttpHeaders, name = SESSION_COOKIE): string | null => {
  const pairs = cookie.split(';').map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''));
  const values = pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : []));
  return values.join(';') || null;
};

/** The header that sets a cookie which no script reads, for so many seconds; 0 removes it. */
export const setCookie = (value: string, seconds: number, name = SESSION_COOKIE) => ({
  'Set-Cookie': `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; Secure; SameSite=Lax`,
});

/**
 * The headers of a log-out, which ends the cookie: the browser forgets what it keeps of this origin, such as
 * pictures of files. Where the address has a path others may be at the origin: what they store is not ours to
 * clear.
 */
export const endCookie = (publicUrl: string) => ({
  ...setCookie('', 0),
  'Clear-Site-Data': new URL(publicUrl).pathname === '/' ? '"cache", "storage"' : '"cache"',
});
