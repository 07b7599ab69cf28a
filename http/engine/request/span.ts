import { scrubbed } from '../../../kernel/scrub.ts';
import { type Span, type Tracing, traceOf } from '../../../kernel/trace.ts';
import type { Context } from '../koa.ts';

/** Those of which OpenTelemetry's conventions know; any other is a client's own text. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE', 'QUERY'];

const methodOf = ({ method }: Context): string => (METHODS.includes(method) ? method : '_OTHER');

/** Begins the span of a request, in the trace that its headers name. */
export const beginRequest = (tracing: Tracing, ctx: Context): Span => {
  const method = methodOf(ctx);
  return tracing.begin({
    name: method === '_OTHER' ? 'HTTP' : method,
    kind: 'server',
    cause: traceOf(ctx.req.headers),
    attributes: { 'http.request.method': method, 'url.scheme': 'http' },
  });
};

/** Ends it, with what is known once it is answered. Its path is that of the log, without a query. */
export const endRequest = (span: Span, ctx: Context): void => {
  const { route, template, path } = ctx.state;
  const known = route ?? template;
  const method = methodOf(ctx);
  if (known !== null) {
    span.rename(`${method} ${known}`);
    span.set({ 'http.route': known });
  }
  span.set({
    'url.path': template ?? scrubbed(path.slice(0, 200)),
    'http.response.status_code': ctx.status,
  });
  span.end(ctx.status >= 500 ? String(ctx.status) : undefined);
};
