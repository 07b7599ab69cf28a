import { namesOf, type Tracing } from '../../kernel/trace.ts';
import { answerPreflight, isPreflight } from './access/cors.ts';
import { identify, securityHeadersOf } from './identify.ts';
import { type Context, Koa, type State } from './koa.ts';
import { PAGE_METHODS, type Page, type Pages } from './pages.ts';
import { malformed, Problem, problemOf } from './problems/problem.ts';
import { requireHttp1 } from './request/http1.ts';
import { beginRequest, endRequest } from './request/span.ts';
import type { Route } from './route.ts';
import { createRouting, type KnownPath } from './routing.ts';
import { send, sendProblem } from './send.ts';
import { type Serving, serve } from './serve.ts';

export type AppOptions = Serving &
  Readonly<{
    routes: readonly Route[];
    pages: Pages;
    /** The address under which browsers reach the service; null for one that nobody has set. */
    publicUrl: string | null;
    newRequestId(): string;
    /** Null, or absent, where no trace is recorded. */
    tracing?: Tracing | null;
  }>;

/**
 * The application: one middleware, since each costs every request. Every error becomes a problem, so that
 * Koa's own plain-text error path is never reached, and the observer gets every request. Throws when two
 * endpoints share a name, or a path and its parameters disagree.
 */
export const createApp = (options: AppOptions): Koa<State> => {
  const { observer, tracing = null } = options;
  const app = new Koa<State>();
  app.on('error', (error: unknown, ctx?: Context) => {
    if (!hasLeft(error)) observer.failed(error, ctx?.state.requestId ?? null);
  });
  const answer = answering(options);
  const security = Object.entries(securityHeadersOf(options.publicUrl)).flat();
  const identifying = { ...options, security };
  const answerOrRefuse = async (ctx: Context): Promise<void> => {
    try {
      await answer(ctx);
    } catch (error) {
      await refuse(ctx, error, options);
    }
  };
  app.use(async (ctx: Context): Promise<void> => {
    const started = performance.now();
    const state = identify(ctx, identifying);
    const span = tracing === null ? null : beginRequest(tracing, ctx);
    state.span = span;
    if (span === null) await answerOrRefuse(ctx);
    else await span.within(() => answerOrRefuse(ctx));
    const { requestId, endpoint, template, keyId, userId } = state;
    const path = template ?? state.path;
    const durationMs = performance.now() - started;
    const { method, status } = ctx;
    const names = span === null ? undefined : namesOf(span.trace);
    observer.answered({ requestId, method, path, endpoint, keyId, userId, status, durationMs, ...names });
    if (span !== null) endRequest(span, ctx);
  });
  return app;
};

const refuse = (
  ctx: Context,
  error: unknown,
  { observer, unavailableParts }: AppOptions,
): void | Promise<void> => {
  // A stream was cut off: its connection has ended with the error, which Koa reports.
  if (ctx.res.headersSent) return;
  const problem = problemOf(error, unavailableParts());
  if (problem.status >= 500 && error !== problem) observer.failed(error, ctx.state.requestId);
  return sendProblem(ctx, problem);
};

/** Whether the client ended the connection, which is no failure. */
const hasLeft = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].some(
    (code) => (error as NodeJS.ErrnoException).code === code,
  );

/** Answers a request; one that no route and no page serves with 204 (a CORS preflight), 405 or 404. */
const answering = (options: AppOptions) => {
  const { find, known } = createRouting(options.routes, (route) => serve(route, options));
  return async (ctx: Context): Promise<void> => {
    requireHttp1(ctx.req);
    const { path } = ctx.state;
    if (path === '') throw malformed([{ pointer: '/path', detail: 'must begin with `/`' }]);
    const found = find(ctx.method, path);
    if (found) return send(ctx, await found.serve(ctx, found.parameters), found.media);
    const page = options.pages(path);
    if (page) return sendPage(ctx, page);
    const route = known(path);
    if (!route) throw unknownPath(ctx.method, path, known);
    if (!isPreflight(ctx)) throw notAllowed(ctx.method, route.methods);
    return send(ctx, answerPreflight(ctx, route.methods, options.origins));
  };
};

const sendPage = (ctx: Context, { name, template, read }: Page): void | Promise<void> => {
  ctx.state.endpoint = name;
  ctx.state.template = template;
  if (!PAGE_METHODS.some((method) => method === ctx.method)) throw notAllowed(ctx.method, PAGE_METHODS);
  const { media, ...answer } = read(ctx.req.headers);
  return send(ctx, answer, media);
};

const notAllowed = (method: string, methods: readonly string[]): Problem => {
  const Allow = methods.join(', ');
  return new Problem('method-not-allowed', `This path takes ${Allow}, not ${method}.`, {
    headers: { Allow },
  });
};

/** Parts of `/api/v1` that clients leave out or repeat. */
const PREFIX = /^((api|v\d+)\/)*/;

/**
 * The 404 of an unknown path. It suggests the route that differs by a trailing or double slash, by case, or
 * by a missing part of `/api/v1`; the path itself is not repeated.
 */
const unknownPath = (method: string, path: string, known: (path: string) => KnownPath | null): Problem => {
  const tidy = path
    .split('/')
    .filter((part) => part !== '')
    .join('/');
  const bare = tidy.toLowerCase().replace(PREFIX, '');
  const candidates = [`/${tidy}`, `/${tidy.toLowerCase()}`, `/api/v1/${bare}`, `/api/${bare}`];
  const near = candidates.map(known).find((found) => found !== null);
  const { path: suggestedPath, methods } = near ?? { path: '', methods: [] };
  const suggested = methods.includes(method) ? method : methods.filter((one) => one !== 'HEAD').join(' or ');
  const hint = near ? ` Did you mean \`${suggested} ${suggestedPath}\`?` : '';
  const list = known('/docs') ? ' GET /docs lists them all.' : '';
  return new Problem('not-found', `There is no such route.${hint}${list}`);
};
