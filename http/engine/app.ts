import Router from '@koa/router';
import { shareWith } from './access/cors.ts';
import { identify } from './identify.ts';
import { type Context, Koa, type State } from './koa.ts';
import { answerProblems } from './problems/answerProblems.ts';
import type { Route } from './route.ts';
import { type Serving, serve } from './serve.ts';
import { type KnownPath, unrouted } from './unrouted.ts';

export type AppOptions = Serving & Readonly<{ routes: readonly Route[]; newRequestId(): string }>;

/**
 * The application: every route served, everything else a problem. Throws when two endpoints share a name, or
 * a path and its parameters disagree.
 */
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
