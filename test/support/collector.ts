import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { eventually } from '../harness.ts';

type Value = Readonly<{ stringValue?: string; intValue?: number | string }>;
type Attributes = readonly Readonly<{ key: string; value: Value }>[];

/** A span as it is sent, with its attributes by name, and the service that it is of. */
export type SentSpan = Readonly<{
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  links?: readonly Readonly<{ traceId: string }>[];
  status: Readonly<{ code?: number; message?: string }>;
  attributes: Readonly<Record<string, string>>;
  resource: Readonly<Record<string, string>>;
}>;

type Sent = Readonly<{
  resourceSpans: readonly Readonly<{
    resource: Readonly<{ attributes: Attributes }>;
    scopeSpans: readonly Readonly<{
      spans: readonly (Omit<SentSpan, 'attributes' | 'resource'> & Readonly<{ attributes: Attributes }>)[];
    }>[];
  }>[];
}>;

export type Collector = Awaited<ReturnType<typeof startCollector>>;

/** A collector of traces (OTLP over HTTP, as JSON) on a free port of this machine, which answers `status`. */
export const startCollector = async (status = 200) => {
  const spans: SentSpan[] = [];
  const paths = new Set<string>();
  const server = createServer((request, response) => {
    paths.add(`${request.method} ${request.url} ${request.headers['content-type']}`);
    json(request).then(
      (body) => {
        spans.push(...spansIn(body as Sent));
        response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
      },
      (error: Error) => response.destroy(error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: spans as readonly SentSpan[],
    paths: paths as ReadonlySet<string>,
    /** The first span that fits, sent or to come. */
    waitFor: (fits: (span: SentSpan) => boolean, what: string): Promise<SentSpan> =>
      eventually(what, async () => spans.find(fits) ?? null),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const spansIn = ({ resourceSpans }: Sent): readonly SentSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: named(span.attributes),
        resource: named(resource.attributes),
      })),
    ),
  );

const named = (attributes: Attributes): Readonly<Record<string, string>> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue ?? '')]),
  );
