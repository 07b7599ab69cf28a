import { connect } from 'node:net';
import { Pool } from 'undici';
import { createRateLimits } from '../../../http/engine/access/rateLimits.ts';
import { type AppOptions, createApp } from '../../../http/engine/app.ts';
import type { RequestLine } from '../../../http/engine/observer.ts';
import { noPages } from '../../../http/engine/pages.ts';
import { Problem } from '../../../http/engine/problems/problem.ts';
import type { Outcome } from '../../../http/engine/request/idempotency.ts';
import { route } from '../../../http/engine/route.ts';
import { type ServerOptions, startServer } from '../../../http/engine/server/server.ts';
import type { Position } from '../../../kernel/event.ts';
import { closed, Type } from '../../../kernel/schema.ts';
import { limit, pathParameter, version } from '../../../schemas/parameters.ts';
import { hashKey, type KeyRow } from '../../../stores/credentials.ts';
import type { Reserved } from '../../../stores/idempotency/port.ts';
import { idempotencyRecords } from '../../../stores/idempotency/records.ts';
import { memoryCounts } from '../../controls/counts.ts';
import { keyringOf } from '../../controls/keyring.ts';
import { temporaryStores } from '../../controls/stores.ts';

export const keys = {
  company: `aok_${'a1'.repeat(32)}`,
  unscoped: `aok_${'b2'.repeat(32)}`,
  revoked: `aok_${'c3'.repeat(32)}`,
  unknown: `aok_${'d4'.repeat(32)}`,
};

const row = (key: string, keyId: string, over: Partial<KeyRow> = {}): KeyRow => ({
  keyId,
  hash: hashKey(key),
  companyId: 'cmp_1',
  mode: 'live',
  revokedAt: null,
  lastUsedAt: null,
  ...over,
});
const rows = [
  row(keys.company, 'key_company'),
  row(keys.unscoped, 'key_unscoped', { companyId: null }),
  row(keys.revoked, 'key_revoked', { revokedAt: '2026-01-01T00:00:00.000Z' }),
];

const thingId = pathParameter(Type.String({ pattern: '^thing-[0-9]+$' }), 404, 'a thing');

/** Fake endpoints that exercise every stage of the chain. `state.answer` is what the thing's POST does. */
const fakeRoutes = (state: {
  answer: (reserved: Reserved) => unknown;
  headers?: Record<string, string>;
  position?: Position;
}) => [
  route({
    name: 'changeThing',
    summary: '',
    method: 'POST',
    path: '/api/v1/things/{thingId}/versions/{version}',
    access: 'submissions.decide',
    parameters: { thingId, version },
    query: { limit },
    body: closed({ name: Type.String({ minLength: 1 }), metadata: Type.Optional(Type.Unknown()) }),
    answers: { 200: Type.Unknown() },
    conditional: true,
  })({
    find: async ({ parameters }) => (parameters.thingId === 'thing-1' ? { id: 'thing-1' } : null),
    check: ({ body }) => (body.name === 'refused' ? [{ pointer: '/name', detail: 'is refused' }] : []),
    run: async ({ body, query, found, caller, requestId, guard, reserved }) => {
      guard?.(7);
      const made = (await state.answer(reserved)) ?? { body, query, found, caller, requestId };
      return { status: 200, body: made, headers: state.headers ?? {}, position: state.position ?? null };
    },
  }),
  route({
    name: 'getOpen',
    summary: '',
    method: 'GET',
    path: '/api/v1/open',
    access: 'companies.read',
    query: { limit },
    answers: { 200: Type.Unknown() },
  })({ run: async ({ caller, query }) => ({ status: 200, body: { caller, query } }) }),
  route({
    name: 'getText',
    summary: '',
    method: 'GET',
    path: '/text',
    access: 'none',
    media: 'text/plain; charset=utf-8',
    answers: { 200: Type.String() },
  })({ run: async () => ({ status: 200, body: 'a "text"\n' }) }),
  route({
    name: 'postAnything',
    summary: '',
    method: 'POST',
    path: '/anything',
    access: 'none',
    body: Type.Unknown(),
    answers: { 200: Type.Unknown() },
  })({
    run: async ({ body, address }) => {
      if ((body as { refuse?: boolean } | null)?.refuse) throw new Problem('session-ended');
      return { status: 200, body: { body, address: address() } };
    },
  }),
];

type Overrides = Partial<AppOptions> & { limits?: ServerOptions['limits'] };

/** A server with fake endpoints on a free port, and what its observer saw. */
export const startFixture = async (overrides: Overrides = {}) => {
  const state: Parameters<typeof fakeRoutes>[0] = { answer: () => undefined };
  const failures: unknown[] = [];
  const lines: RequestLine[] = [];
  const stores = temporaryStores();
  const { credentials } = stores;
  for (const one of rows) await credentials.add(one);
  const clock = { at: new Date('2026-11-21T10:00:00.000Z') };
  const { tables } = stores.documents;
  const { ids } = stores;
  const reserve = () => ({ ulid: ids.ulid(), correlationId: ids.event() });
  const idempotency = idempotencyRecords<Outcome>({
    tables,
    keys: stores.keys,
    keyring: keyringOf(Buffer.alloc(32, 7)),
    clock: { now: () => clock.at },
    reserve,
  });
  let made = 0;
  const observer = {
    answered: (line: RequestLine) => void lines.push(line),
    failed: (error: unknown) => void failures.push(error),
  };
  const newRequestId = () => `made-${++made}`;
  const app = createApp({
    routes: fakeRoutes(state),
    pages: noPages,
    keys: credentials,
    sessions: { session: async () => null, hasEnded: async () => false, record: async () => undefined },
    company: async () => null,
    origins: new Set(),
    publicUrl: null,
    clock: { now: () => clock.at },
    awaitPosition: async () => {},
    observer,
    rateLimits: createRateLimits({ requestsPerSecond: 0, authFailures: 1, counts: memoryCounts() }),
    idempotency,
    reserve,
    proxies: 0,
    unavailableParts: () => [],
    isClosed: () => false,
    metricsToken: null,
    newRequestId,
    ...overrides,
  });
  const server = await startServer(app.callback(), {
    host: '127.0.0.1',
    port: 0,
    observer,
    publicUrl: overrides.publicUrl ?? null,
    newRequestId,
    ...(overrides.limits ? { limits: overrides.limits } : {}),
  });
  const pool = new Pool(`http://127.0.0.1:${server.port}`, { connections: 4 });
  const close = async (): Promise<void> => {
    await pool.destroy();
    await server.close();
    await stores.remove();
  };
  return {
    ...server,
    pool,
    state,
    failures,
    lines,
    /** How many requests without an id of their own have begun. */
    begun: () => made,
    lastUsedAt: async (key: string) => (await credentials.byHash(hashKey(key)))?.lastUsedAt ?? null,
    clock,
    tables,
    sealingKeys: stores.keys,
    addKey: (key: string, keyId: string): Promise<void> => credentials.add(row(key, keyId)),
    call: caller(pool),
    raw: raw(server.port),
    close,
  };
};

type Call = Readonly<{
  method?: 'GET' | 'POST' | 'PUT' | 'HEAD' | 'OPTIONS' | 'DELETE';
  key?: string | null;
  headers?: Record<string, string>;
  body?: string | Buffer | AsyncIterable<Buffer>;
}>;

const caller =
  (pool: Pool) =>
  async (path: string, { method = 'GET', key = keys.company, headers = {}, body }: Call = {}) => {
    const answer = await pool.request({
      method,
      path,
      headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
      body: (body ?? null) as string | null,
    });
    const text = await answer.body.text();
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      body: text && isJson(answer.headers) ? JSON.parse(text) : null,
    };
  };

const isJson = (headers: Readonly<Record<string, unknown>>): boolean =>
  /json/.test(String(headers['content-type']));

/** POST of JSON text. */
export const json = (text: string, extra: Call = {}): Call => ({
  method: 'POST',
  body: text,
  ...extra,
  headers: { 'content-type': 'application/json', ...extra.headers },
});

/** Sends bytes as they are and gives all that comes until the server closes. */
const raw =
  (port: number) =>
  (...pieces: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      const got: Buffer[] = [];
      socket.on('data', (chunk) => got.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(got).toString()));
      for (const piece of pieces) socket.write(piece);
    });
