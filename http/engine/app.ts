import Router from '@koa/router';
import { answerPreflight, isPreflight, type Origins, shareWith } from './access/cors.ts';
import { type Context, Koa, type State } from './koa.ts';
import { answerProblems } from './problems/answerProblems.ts';
import { Problem } from './problems/problem.ts';
import { requestIdOf } from './requestId.ts';
import type { Route } from './route.ts';
import { securityHeaders } from './securityHeaders.ts';
import { type Serving, serve } from './serve.ts';
import { type KnownRoute, noRoute } from './unrouted.ts';

export type AppOptions = Serving & Readonly<{ routes: readonly Route[]; newRequestId(): string }>;

/**
 * The application: every route served, everything else a problem. Throws when two endpoints share a name, or a path and its
 * parameters disagree.
 */
export const createApp = (options: AppOptions): Koa<State> => {
  const { routes, observer, newRequestId } = options;
  holdTogether(routes);
  const app = new Koa<State>();
  app.on('error', (error: unknown, ctx?: Context) => observer.failed(error, ctx?.state.requestId ?? null));
  const router = new Router<State>({ sensitive: true, strict: true });
  for (const route of routes) router.register(pathOf(route), [route.endpoint.method], serve(route, options));
  app.use(identify(newRequestId));
  app.use(shareWith(options.origins));
  app.use(answerProblems(observer, options.away));
  app.use(router.routes());
  app.use(unrouted(options.origins, knownRoutes(router)));
  return app;
};

const SECURITY = Object.entries(securityHeaders);

type Next = () => Promise<unknown>;

const identify =
  (newRequestId: () => string) =>
  (ctx: Context, next: Next): Promise<unknown> => {
    const { requestId, fault } = requestIdOf(header(ctx, 'x-request-id'), newRequestId);
    ctx.state = {
      requestId,
      requestIdFault: fault,
      endpoint: null,
      template: null,
      keyId: null,
      userId: null,
    };
    ctx.res.setHeader('X-Request-Id', requestId);
    for (const [name, value] of SECURITY) ctx.res.setHeader(name, value);
    return next();
  };

const header = (ctx: Context, name: string): string | undefined => {
  const value = ctx.req.headers[name];
  return Array.isArray(value) ? value.join() : value;
};

type FindRoute = (path: string) => KnownRoute | null;

const knownRoutes =
  (router: Router<State>): FindRoute =>
  (path) => {
    const { path: layers } = router.match(path, 'GET');
    const [first] = layers;
    if (!first) return null;
    const methods = [...new Set(layers.flatMap((layer) => layer.methods))].sort();
    return { path: String(first.path).replaceAll(/:(\w+)/g, '{$1}'), methods };
  };

const unrouted =
  (origins: Origins, find: FindRoute) =>
  (ctx: Context): void => {
    const known = find(ctx.path);
    if (!known) throw noRoute(ctx.method, ctx.path, find);
    const { methods } = known;
    if (!isPreflight(ctx)) throw notAllowed(ctx.method, methods);
    answerPreflight(ctx, methods, origins);
  };

const notAllowed = (method: string, methods: readonly string[]): Problem => {
  const allow = methods.join(', ');
  return new Problem('method-not-allowed', `This path takes ${allow}, not ${method}.`, {
    headers: { Allow: allow },
  });
};

const pathOf = ({ endpoint }: Route): string => endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');

const holdTogether = (routes: readonly Route[]): void => {
  const names = routes.map(({ endpoint }) => endpoint.name);
  for (const { endpoint } of routes) {
    const { name, path, parameters = {} } = endpoint;
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    if (inPath.join() !== Object.keys(parameters).join())
      throw new Error(
        `endpoint ${name}: the path names (${inPath}), the parameters are (${Object.keys(parameters)})`,
      );
    if (names.indexOf(name) !== names.lastIndexOf(name)) throw new Error(`two endpoints are named ${name}`);
  }
};
