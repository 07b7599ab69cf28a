import Router from '@koa/router';
import { answerPreflight, isPreflight, type Origins, shareWith } from './access/cors.ts';
import { identify } from './identify.ts';
import { type Context, Koa, type State } from './koa.ts';
import { answerProblems } from './problems/answerProblems.ts';
import { Problem } from './problems/problem.ts';
import type { Route } from './route.ts';
import { type Serving, serve } from './serve.ts';

export type AppOptions = Serving & Readonly<{ routes: readonly Route[]; newRequestId(): string }>;

/** The application. Throws when two endpoints share a name, or a path and its parameters disagree. */
export const createApp = (options: AppOptions): Koa<State> => {
  const { routes, origins, observer, newRequestId } = options;
  requireConsistent(routes);
  const app = new Koa<State>();
  app.on('error', (error: unknown, ctx?: Context) => observer.failed(error, ctx?.state.requestId ?? null));
  const router = new Router<State>({ sensitive: true, strict: true });
  for (const route of routes) router.register(pathOf(route), [route.endpoint.method], serve(route, options));
  app.use(identify(newRequestId));
  app.use(shareWith(origins));
  app.use(answerProblems(observer, options.unavailableParts));
  app.use(router.routes());
  app.use(unrouted(origins, (path) => knownPath(router, path)));
  return app;
};

/** A path that is served, its parameters in braces, and its methods. */
type KnownPath = Readonly<{ path: string; methods: readonly string[] }>;
type FindPath = (path: string) => KnownPath | null;

const knownPath = (router: Router<State>, path: string): KnownPath | null => {
  const { path: layers } = router.match(path, 'GET');
  const [first] = layers;
  if (!first) return null;
  const methods = [...new Set(layers.flatMap((layer) => layer.methods))].sort();
  return { path: String(first.path).replaceAll(/:(\w+)/g, '{$1}'), methods };
};

const pathOf = ({ endpoint }: Route): string => endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');

const requireConsistent = (routes: readonly Route[]): void => {
  const names = routes.map(({ endpoint }) => endpoint.name);
  for (const { endpoint } of routes) {
    const { name, path, parameters = {} } = endpoint;
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    const declared = Object.keys(parameters);
    if (inPath.join() !== declared.join())
      throw new Error(`endpoint ${name}: the path names (${inPath}), the parameters are (${declared})`);
    if (names.indexOf(name) !== names.lastIndexOf(name)) throw new Error(`two endpoints are named ${name}`);
  }
};

/** For requests that no route serves: answers CORS preflights, throws 405 or 404. */
const unrouted =
  (origins: Origins, find: FindPath) =>
  (ctx: Context): void => {
    const route = find(ctx.path);
    if (!route) throw unknownPath(ctx.method, ctx.path, find);
    if (!isPreflight(ctx)) throw notAllowed(ctx.method, route.methods);
    answerPreflight(ctx, route.methods, origins);
  };

const notAllowed = (method: string, methods: readonly string[]): Problem => {
  const Allow = methods.join(', ');
  return new Problem('method-not-allowed', `This path takes ${Allow}, not ${method}.`, {
    headers: { Allow },
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
  const { path: suggestedPath, methods } = near ?? { path: '', methods: [] };
  const suggested = methods.includes(method) ? method : methods.filter((one) => one !== 'HEAD').join(' or ');
  const hint = near ? ` Did you mean \`${suggested} ${suggestedPath}\`?` : '';
  const list = find('/docs') ? ' GET /docs lists them all.' : '';
  return new Problem('not-found', `There is no such route.${hint}${list}`);
};
