import { Problem } from './problems/problem.ts';

/** A route as far as it can be taken for another: its path with the parameters in braces, and its methods. */
export type KnownRoute = Readonly<{ path: string; methods: readonly string[] }>;

/** Where a client may look for the API without its whole prefix. */
const PREFIX = /^(api\/)?(v\d+\/)?/;

/**
 * The 404 of an unknown path. It names the route that was probably meant: after a trailing or double slash,
 * another case, a missing part of `/api/v1`. `find` gives the route of a path; the path itself is not
 * repeated.
 */
export const noRoute = (method: string, path: string, find: (path: string) => KnownRoute | null): Problem => {
  const tidy = path
    .split('/')
    .filter((part) => part !== '')
    .join('/');
  const bare = tidy.toLowerCase().replace(PREFIX, '');
  const candidates = [`/${tidy}`, `/${tidy.toLowerCase()}`, `/api/v1/${bare}`, `/api/${bare}`];
  const near = candidates.map(find).find((found) => found !== null);
  const { path: meant, methods } = near ?? { path: '', methods: [] };
  const asked = methods.includes(method) ? method : methods.filter((one) => one !== 'HEAD').join(' or ');
  const hint = near ? ` Did you mean \`${asked} ${meant}\`?` : '';
  return new Problem(
    'not-found',
    `There is no such route.${hint}${find('/docs') ? ' GET /docs lists them all.' : ''}`,
  );
};
