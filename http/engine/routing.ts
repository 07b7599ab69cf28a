import Router from '@koa/router';
import type { Context, State } from './koa.ts';
import type { Answer, Endpoint, Route } from './route.ts';

type Parameters = Readonly<Record<string, string>>;

/** Answers a request whose path has these parameters. */
export type Serve = (ctx: Context, parameters: Parameters) => Promise<Answer>;

type Found = Readonly<{ serve: Serve; media: Endpoint['media'] | undefined; parameters: Parameters }>;

/** A path that is served, its parameters in braces, and its methods. */
export type KnownPath = Readonly<{ path: string; methods: readonly string[] }>;

/**
 * Finds what serves a request, and which methods a path has. Throws when two endpoints share a name, or a
 * path and its parameters disagree.
 */
export const createRouting = (routes: readonly Route[], serveOf: (route: Route) => Serve) => {
  requireConsistent(routes);
  const router = new Router<State>({ sensitive: true, strict: true });
  // The router tries its routes one by one, and most paths have no parameters: those that have some are
  // tried where they have as many parts.
  const exact = new Map<string, Found>();
  const others = new Map<string, Readonly<{ layer: Layer; own: Omit<Found, 'parameters'> }>[]>();
  for (const route of routes) {
    const { method, path, parameters, media } = route.endpoint;
    router.register(path.replaceAll(/\{(\w+)\}/g, ':$1'), [method], () => undefined);
    const layer = router.stack.at(-1) as Layer;
    const own = { serve: serveOf(route), media };
    for (const one of layer.methods) {
      if (!parameters) exact.set(`${one} ${path}`, { ...own, parameters: {} });
      else others.set(keyOf(one, path), [...(others.get(keyOf(one, path)) ?? []), { layer, own }]);
    }
  }
  return {
    find: (method: string, path: string): Found | null => {
      const known = exact.get(`${method} ${path}`);
      if (known) return known;
      for (const { layer, own } of others.get(keyOf(method, path)) ?? []) {
        const captures = layer.captures(path);
        if (captures.length > 0) return { ...own, parameters: layer.params(path, captures) };
      }
      return null;
    },
    known: (path: string): KnownPath | null => {
      const layers = router.match(path, 'GET').path;
      const [first] = layers;
      if (!first) return null;
      const methods = [...new Set(layers.flatMap((layer) => layer.methods))].sort();
      return { path: String(first.path).replaceAll(/:(\w+)/g, '{$1}'), methods };
    },
  };
};

type Layer = Router<State>['stack'][number];

/** What a request's route has in common with it: the method, and how many parts the path has. */
const keyOf = (method: string, path: string): string => `${method} ${path.split('/').length}`;

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
