import { answerPreflight, isPreflight, type Origins } from './access/cors.ts';
import type { Context } from './koa.ts';
import { Problem } from './problems/problem.ts';

/** A path that is served, its parameters in braces, and its methods. */
export type KnownPath = Readonly<{ path: string; methods: readonly string[] }>;
type FindPath = (path: string) => KnownPath | null;

/**
 * The innermost middleware, for requests that no route serves: answers CORS preflights, throws 405 or 404.
 */
export const unrouted =
  (origins: Origins, find: FindPath) =>
  (ctx: Context): void => {
    const known = find(ctx.path);
    if (!known) throw unknownPath(ctx.method, ctx.path, find);
    if (!isPreflight(ctx)) throw notAllowed(ctx.method, known.methods);
    answerPreflight(ctx, known.methods, origins);
  };

const notAllowed = (method: string, methods: readonly string[]): Problem => {
  const allow = methods.join(', ');
  return new Problem('method-not-allowed', `This path takes ${allow}, not ${method}.`, {
    headers: { Allow: allow },
  });
};

/** Parts of `/api/v1` that clients leave out or repeat. */
const PREFIX = /^(api\/)?(v\d+\/)?/;

/**
 * The 404 of an unknown path. It suggests the route that differs by a trailing or double slash, by case, or
 * by a missing part of `/api/v1`; the path itself is not repeated.
 */
const unknownPath = (method: string, path: string, find: FindPath): Problem => {
  const tidy = path
    .split('/')
    .filter((part) => part !== '')
    .join('/');
  const bare = tidy.toLowerCase().replace(PREFIX, '');
  const candidates = [`/${tidy}`, `/${tidy.toLowerCase()}`, `/api/v1/${bare}`, `/api/${bare}`];
  const near = candidates.map(find).find((found) => found !== null);
  const { path: meant, methods } = near ?? { path: '', methods: [] };
  const suggested = methods.includes(method) ? method : methods.filter((one) => one !== 'HEAD').join(' or ');
  const hint = near ? ` Did you mean \`${suggested} ${meant}\`?` : '';
  const list = find('/docs') ? ' GET /docs lists them all.' : '';
  return new Problem('not-found', `There is no such route.${hint}${list}`);
};
