import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { Problem } from '../../../http/engine/problems/problem.ts';
import { route } from '../../../http/engine/route.ts';
import { evidenceRoutes } from '../../../http/routes/evidence.ts';
import { Type } from '../../../kernel/schema.ts';
import type { SubmissionDocument } from '../../../projections/submissions.ts';
import { failure } from '../../controls/stores.ts';
import { routing } from '../../controls/submission.ts';
import { eventually, suite } from '../../harness.ts';
import { startFixture } from './fixture.ts';

const test = suite('answers that are streams');

const streamed = (body: () => Readable) =>
  route({
    name: 'getStream',
    summary: '',
    method: 'GET',
    path: '/stream',
    access: 'none',
    media: 'application/zip',
    answers: { 200: Type.Unsafe<Readable>({ type: 'string' }) },
  })({ run: async () => ({ status: 200, body: body() }) });

const serving = async (body: () => Readable, limits: Readonly<{ answerMs?: number }> = {}) => {
  const fixture = await startFixture({ routes: [streamed(body)], limits });
  return {
    ...fixture,
    get: (init: RequestInit = {}) => fetch(`http://127.0.0.1:${fixture.port}/stream`, init),
  };
};

test('a stream is sent as it comes, with the headers of every answer', async () => {
  const { get, close, lines } = await serving(() => Readable.from([Buffer.from('one '), Buffer.from('two')]));
  const response = await get();
  assert.equal([response.status, await response.text()], [200, 'one two']);
  assert.equal(
    ['content-type', 'content-length', 'x-content-type-options'].map((name) => response.headers.get(name)),
    ['application/zip', null, 'nosniff'],
  );
  await eventually('it is logged', () => lines.length === 1);
  await close();
});

test('HEAD is answered with the headers, and nothing of the stream is made', async () => {
  let body: Readable | undefined;
  const { get, close } = await serving(() => {
    body = Readable.from([Buffer.from('one')]);
    return body;
  });
  const response = await get({ method: 'HEAD' });
  assert.equal([response.status, response.headers.get('content-type')], [200, 'application/zip']);
  assert.equal([await response.text(), body?.destroyed], ['', true]);
  await close();
});

test('one that fails breaks the connection, so that it does not look whole, and is reported', async () => {
  const fails = async function* () {
    yield Buffer.from('one');
    await sleep(10);
    throw new Error('the store failed');
  };
  const { get, close, failures } = await serving(() => Readable.from(fails()));
  const response = await get();
  assert.is(response.status, 200);
  await failure(response.text());
  assert.equal(
    failures.map((error) => (error as Error).message),
    ['the store failed'],
  );
  await close();
});

test('a client that leaves ends the stream, and is no failure', async () => {
  let ended = false;
  const endless = async function* () {
    try {
      for (;;) {
        await sleep(1);
        yield Buffer.alloc(65_536);
      }
    } finally {
      ended = true;
    }
  };
  const { get, close, failures } = await serving(() => Readable.from(endless()));
  const leaving = new AbortController();
  const response = await get({ signal: leaving.signal });
  assert.is(response.status, 200);
  leaving.abort();
  await eventually('the stream has ended', () => ended);
  assert.equal(failures, []);
  await close();
});

/** So many chunks, with a pause before each. */
const slow = async function* (count: number, bytes: number) {
  for (let sent = 0; sent < count; sent += 1) {
    await sleep(20);
    yield Buffer.alloc(bytes);
  }
};

test('a stream that comes on is sent whole, however long that takes', async () => {
  const { get, close } = await serving(() => Readable.from(slow(100, 131_072)), { answerMs: 500 });
  const started = performance.now();
  const { byteLength } = await (await get()).arrayBuffer();
  assert.is(byteLength, 100 * 131_072);
  assert.ok(performance.now() - started > 1_000);
  await close();
});

test('one that does not is cut off', async () => {
  const { get, close } = await serving(() => Readable.from(slow(1_000, 1)), { answerMs: 200 });
  await failure((await get()).text());
  await close();
});

const TOKEN = `ast_${'A'.repeat(43)}`;
const found = { id: routing.submissionId, submission: { routing } } as unknown as SubmissionDocument;
const person = {
  ...({ userId: 'usr_1', role: 'auditor', companyId: routing.companyId } as const),
  ...{ sessionId: 'lgn_1', expiresAt: '2026-11-22T10:00:00.000Z' },
} as const;
const key = { id: '0123456789abcdef', pem: 'PEM' };

/** What an auditor is answered who asks for evidence, and what was done for it. */
const asked = async (over: Partial<Parameters<typeof evidenceRoutes>[0]>) => {
  const done: string[] = [];
  const ports: Parameters<typeof evidenceRoutes>[0] = {
    find: async () => found,
    publicKey: () => key,
    refusal: async () => null,
    certify: async () => null,
    exports: { record: async () => void done.push('recorded'), newest: () => Promise.reject(new Error()) },
    limit: async () => undefined,
    open: () => {
      done.push('opened');
      return Readable.from([Buffer.from('zip')]);
    },
    reserve: () => ({ ulid: 'x', correlationId: 'x' }),
    ...over,
  };
  const session = async () => ({ person, tokenHash: 'x', isUnrecorded: false });
  const fixture = await startFixture({
    routes: evidenceRoutes(ports),
    sessions: { session, hasEnded: async () => false, record: async () => undefined },
  });
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${fixture.port}${path}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const text = await response.text();
    return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : null };
  };
  const evidence = await get(`/api/v1/submissions/${routing.submissionId}/evidence`);
  const publicKey = await get('/api/v1/evidence-key');
  await fixture.close();
  return { evidence, publicKey, done };
};

test('an export is recorded before it is opened [audit-5]', async () => {
  const { evidence, done } = await asked({});
  assert.equal([evidence.status, evidence.text, done], [200, 'zip', ['recorded', 'opened']]);
  const refused = await asked({
    exports: {
      record: () => Promise.reject(new Error('the log is away')),
      newest: () => Promise.reject(new Error()),
    },
  });
  assert.equal([refused.evidence.status, refused.done], [500, []]);
});

test('one export too many is refused before anything is done for it [audit-4]', async () => {
  const limit = () => Promise.reject(new Problem('rate-limited', 'too many'));
  const { evidence, done } = await asked({ limit });
  assert.equal([evidence.status, evidence.body.code, done], [429, 'rate-limited', []]);
});

test('without a key nothing is exported or recorded, and the problem says what to set [audit-4, audit-6]', async () => {
  const { evidence, publicKey, done } = await asked({ publicKey: () => null });
  for (const { status, body } of [evidence, publicKey]) {
    assert.equal([status, body.code], [409, 'evidence-key-missing']);
    assert.match(body.detail, /EVIDENCE_KEY is not set/);
  }
  assert.equal(done, []);
});

test('events that can’t be relied on are not exported nor recorded as such, and the problem says why [audit-4]', async () => {
  const reason = 'The chain of submission-1 breaks at revision 3 (SubmissionApproved, x): its hash differs.';
  const { evidence, publicKey, done } = await asked({ refusal: async () => reason });
  assert.equal(
    [evidence.status, evidence.body.code, evidence.body.detail],
    [409, 'evidence-refused', reason],
  );
  assert.equal(
    [publicKey.status, publicKey.body],
    [200, { id: key.id, algorithm: 'Ed25519', publicKey: 'PEM' }],
  );
  assert.equal(done, []);
});
