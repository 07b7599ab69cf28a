import * as assert from 'uvu/assert';
import type { Person } from '../../../commands/authenticate.ts';
import { createRateLimits } from '../../../http/engine/access/rateLimits.ts';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import { memoryCounts } from '../../controls/counts.ts';
import { suite } from '../../harness.ts';
import { json, startFixture } from './fixture.ts';

const test = suite('people at the chain from request to answer');
type Overrides = NonNullable<Parameters<typeof startFixture>[0]>;
type Session = Awaited<ReturnType<NonNullable<Overrides['sessions']>['session']>>;

const TOKEN = `ast_${'Ab'.repeat(21)}9`;
const COMPANY = 'cmp_1';
const person: Person = {
  userId: 'usr_1',
  role: 'org_admin',
  companyId: COMPANY,
  sessionId: 'lgn_1',
  expiresAt: '2026-11-21T22:00:00.000Z',
};
const proven = (over: Partial<NonNullable<Session>> = {}): Session => ({
  ...{ person, tokenHash: 'hash', isUnrecorded: false },
  ...over,
});
const hasEnded = async () => false;
const post = (extra: Parameters<typeof json>[1] = {}) => json('{"name":"x"}', { key: TOKEN, ...extra });
const THING = '/api/v1/things/thing-1/versions/1';

/** A server where every token is of this session. */
const withFixture = async (
  overrides: Overrides,
  body: (fixture: Awaited<ReturnType<typeof startFixture>>) => Promise<void>,
): Promise<void> => {
  const sessions = { session: async () => proven(), hasEnded, record: async () => undefined };
  const fixture = await startFixture({ sessions, ...overrides });
  try {
    await body(fixture);
  } finally {
    await fixture.close();
  }
};

test('a handler learns who asks and for which company and mode, and nothing of the token', () =>
  withFixture({}, async ({ call, lines }) => {
    const { body } = await call('/api/v1/open', { key: TOKEN, headers: { 'intake-mode': 'test' } });
    assert.equal(body.caller, { kind: 'person', ...person, mode: 'test', csrfToken: null });
    assert.equal([lines.at(-1)?.userId, lines.at(-1)?.keyId], ['usr_1', null]);
    const { text } = await call('/api/v1/open', { key: null, headers: { cookie: `__Host-intake=${TOKEN}` } });
    assert.not.ok(text.includes(TOKEN));
  }));

test('a read goes on while the last use can’t be written, a change does not [keys-6, people-6]', async () => {
  const full = new StoreUnavailable('the disk is full');
  const away: string[] = [];
  let recorded = 0;
  const record = () => {
    recorded += 1;
    return Promise.reject(full);
  };
  const sessions = { session: async () => proven({ isUnrecorded: true }), hasEnded, record };
  await withFixture({ sessions, unavailableParts: () => away }, async ({ call, failures }) => {
    assert.is((await call('/api/v1/open', { key: TOKEN })).status, 200);
    assert.equal(failures, [full]);
    assert.equal([(await call(THING, post())).status, recorded], [503, 2]);
    away.push('documents');
    assert.is((await call('/api/v1/open', { key: TOKEN })).status, 200);
    assert.is(recorded, 2);
  });
});

test('what can be no session token is refused without a read of the store', async () => {
  const asked: string[] = [];
  const sessions = {
    session: async () => null,
    hasEnded: async (token: string) => {
      asked.push(token);
      return true;
    },
    record: async () => undefined,
  };
  await withFixture({ sessions }, async ({ call }) => {
    for (const cookie of ['__Host-intake=x', `__Host-intake=${TOKEN}x`, `__Host-intake=${TOKEN}`])
      assert.is((await call('/api/v1/open', { key: null, headers: { cookie } })).status, 401);
    assert.equal(asked, [TOKEN]);
  });
});

test('the use of a request that is refused is not noted', async () => {
  let recorded = 0;
  const sessions = {
    session: async () => proven({ isUnrecorded: true, person: { ...person, role: 'auditor' } }),
    hasEnded,
    record: async () => {
      recorded += 1;
    },
  };
  await withFixture({ sessions }, async ({ call }) => {
    assert.is((await call(THING, post())).status, 403);
    assert.is(recorded, 0);
    assert.is((await call('/api/v1/open', { key: TOKEN })).status, 200);
    assert.is(recorded, 1);
  });
});

test('a person has RATE_LIMIT requests a second, however many tokens and companies [limits-1]', () => {
  const rateLimits = createRateLimits({ requestsPerSecond: 3, authFailures: 5, counts: memoryCounts() });
  const admin = { ...person, role: 'super_admin', companyId: null } as const;
  const sessions = {
    session: async () => proven({ person: admin }),
    hasEnded,
    record: async () => undefined,
  };
  const company = async (id: string) => ({ id });
  return withFixture({ rateLimits, sessions, company }, async ({ call }) => {
    const ask = (n: number) =>
      call('/api/v1/open', { key: `ast_${String(n).repeat(43)}`, headers: { 'intake-company': `cmp_${n}` } });
    const answers = await Promise.all([1, 2, 3, 4].map(ask));
    assert.equal(answers.map(({ status }) => status).sort(), [200, 200, 200, 429]);
  });
});

test('only a super_admin’s company is looked up, and only where one is named', async () => {
  const asked: string[] = [];
  const company = async (id: string) => {
    asked.push(id);
    return null;
  };
  await withFixture({ company }, async ({ call }) => {
    for (const headers of [{}, { 'intake-company': COMPANY }] as Record<string, string>[])
      assert.is((await call('/api/v1/open', { key: TOKEN, headers })).status, 200);
    assert.is(
      (await call('/api/v1/open', { key: TOKEN, headers: { 'intake-company': 'cmp_2' } })).status,
      403,
    );
  });
  assert.equal(asked, []);
});

test('of a cookie header the session’s is taken, and no other', async () => {
  const seen: string[] = [];
  const session = async (token: string, kind: string): Promise<Session> => {
    seen.push(`${kind} ${token}`);
    return proven();
  };
  await withFixture({ sessions: { session, hasEnded, record: async () => undefined } }, async ({ call }) => {
    const ask = async (cookie: string) =>
      (await call('/api/v1/open', { key: null, headers: { cookie } })).status;
    assert.is(await ask(`a=b; __Host-intake=${TOKEN}; c=d`), 200);
    for (const cookie of [
      `intake=${TOKEN}`,
      `x__Host-intake=${TOKEN}`,
      '__Host-intake=',
      `__Host-intake=${TOKEN}x`,
      `__Host-intake="${TOKEN}"`,
      // Planted: browsers do not keep these names to pages of the service over TLS.
      `\u00a0__Host-intake=${TOKEN}`,
      `__host-intake=${TOKEN}`,
      `__Host-intake =${TOKEN}`,
      `__Host-intake=${TOKEN}; __Host-intake=ast_${'A'.repeat(43)}`,
      `__Host-intake=${TOKEN}; __Host-intake=${TOKEN}`,
    ])
      assert.is(await ask(cookie), 401, cookie);
  });
  assert.equal(seen, [`cookie ${TOKEN}`]);
});
