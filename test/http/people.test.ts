import * as assert from 'uvu/assert';
import { permissionsOf } from '../../domain/permissions.ts';
import { endCookie } from '../../http/engine/access/cookies.ts';
import { logInsOf } from '../controls/logIns.ts';
import { eventually, suite } from '../harness.ts';
import { type Client, client, type Reply, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('people');
const LISTED = 'https://admin.example.com';
const EVIL = 'https://evil.example.com';
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let company: Awaited<ReturnType<TestService['company']>>;
test.before(async () => {
  service = await startService({ ALLOWED_ORIGINS: LISTED });
  people = await peopleOf(service);
  const fraud = { checks: ['duplicate_file'] };
  company = await service.company({ ...receiptDefinition, processing: { review: 'always', fraud } });
});
test.after(async () => {
  await people.close();
  await service.close();
});

const SESSIONS = '/api/auth/sessions';
const endAll = (api: Client, headers = {}) => api.post(`${SESSIONS}/end-all`, {}, { headers });
const inReview = async (): Promise<string> => (await company.api.process([receiptText()])).submissionId;

const reviewer = () => {
  return people.user(company.id, 'reviewer');
};

test('a page logs in: the token is in a cookie that no script reads, and not in the body [logins-1, people-3]', async () => {
  const { email, userId } = await reviewer();
  const { status, headers, body, text } = await people.logIn(email, undefined, { session: 'cookie' });
  assert.is(status, 201);
  const [cookie = ''] = headers.getSetCookie();
  assert.match(
    cookie,
    /^__Host-intake=ast_[A-Za-z0-9_-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  assert.is(body.token, null);
  assert.match(body.csrfToken, /^[A-Za-z0-9_-]{43}$/);
  assert.not.ok(text.includes(cookie.slice('__Host-intake='.length, 40)));
  const me = (await client(service.url, { cookie: cookie.split(';')[0] ?? '' }).get('/api/auth/me')).body;
  assert.equal(
    { ...me, sessionId: null },
    {
      ...{ userId, email, name: null, role: 'reviewer' },
      company: { id: company.id, name: 'ACME' },
      permissions: permissionsOf('reviewer'),
      sessionId: null,
      csrfToken: body.csrfToken,
      expiresAt: body.expiresAt,
    },
  );
});

test('a log-out by cookie clears caches and storage, one by token does not [logins-23]', async () => {
  const clears = async (end: (api: Client, more: object) => Promise<Reply>) => {
    const { email, api } = await reviewer();
    const { headers, body } = await people.logIn(email, undefined, { session: 'cookie' });
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    const more = { headers: { 'x-csrf-token': body.csrfToken } };
    const answers = [await end(client(service.url, { cookie }), more), await end(api, {})];
    return answers.map((answer) => [answer.status, answer.headers.get('clear-site-data')]);
  };
  const expected = [
    [204, '"cache", "storage"'],
    [204, null],
  ];
  assert.equal(await clears((api, more) => api.call('DELETE', SESSIONS, more)), expected);
  const all = await clears((api, more) => api.post(`${SESSIONS}/end-all`, {}, more));
  assert.equal(all[0], expected[0]);
});

test('where others may be at the origin, their storage stays [logins-23]', () => {
  assert.is(endCookie('https://example.com/intake')['Clear-Site-Data'], '"cache"');
  assert.is(endCookie('https://example.com/')['Clear-Site-Data'], '"cache", "storage"');
});

test('who one is by session token: no CSRF token; of a super_admin no company but the named one [people-12]', async () => {
  const { api, userId } = await people.user();
  const { body } = await api.get('/api/auth/me');
  assert.equal([body.userId, body.role, body.company, body.csrfToken], [userId, 'super_admin', null, null]);
  const named = await api.get('/api/auth/me', { headers: { 'intake-company': company.id } });
  assert.equal(named.body.company, { id: company.id, name: 'ACME' });
});

test('a change by cookie needs the CSRF token of its own session; a read needs none [people-3]', async () => {
  const user = await reviewer();
  const [page, other, stranger] = [await user.page(), await user.page(), await (await reviewer()).page()];
  const { cookie, csrfToken } = page;
  assert.is((await page.withoutToken.get('/api/auth/me')).status, 200);
  assert.is((await page.withoutToken.get('/api/v1/submissions')).status, 200);
  const wrong = [
    undefined,
    '',
    'x',
    `${csrfToken}x`,
    csrfToken.toUpperCase(),
    other.csrfToken,
    stranger.csrfToken,
  ];
  for (const token of wrong) {
    const api = client(service.url, { cookie, ...(token === undefined ? {} : { 'x-csrf-token': token }) });
    const { status, body } = await endAll(api);
    assert.equal([status, body.code], [403, 'csrf-token-required'], token);
    assert.is((await api.call('DELETE', SESSIONS)).status, 403, token);
  }
  assert.is((await endAll(page.api)).status, 204);
});

test('a cookie that a page of another origin sends is refused, listed or not, reads too [people-3]', async () => {
  const { api } = await (await reviewer()).page();
  const foreign = [
    { origin: EVIL },
    { origin: LISTED },
    { origin: 'null' },
    { origin: EVIL, 'sec-fetch-site': 'cross-site' },
    { origin: LISTED, 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign)
    for (const path of ['/api/auth/me', '/api/v1/submissions']) {
      const read = await api.get(path, { headers });
      assert.equal([read.status, read.body.code], [403, 'origin-not-allowed'], JSON.stringify(headers));
      assert.is((await endAll(api, headers)).status, 403);
    }
  for (const headers of [
    {},
    { 'sec-fetch-site': 'none' },
    { origin: service.url, 'sec-fetch-site': 'same-origin' },
  ])
    assert.is((await api.get('/api/auth/me', { headers })).status, 200, JSON.stringify(headers));
  assert.is((await endAll(api, { origin: service.url, 'sec-fetch-site': 'same-origin' })).status, 204);
});

test('no page of another origin logs a browser in: what it can send unasked is refused, and no preflight lets cookies [people-3]', async () => {
  const { email } = await reviewer();
  const body = JSON.stringify({ email, password: people.password, session: 'cookie' });
  // What a browser sends without a preflight.
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
  ])
    for (const [origin, code] of [
      [EVIL, 'origin-not-allowed'],
      ['null', 'origin-not-allowed'],
      [LISTED, 'unsupported-media-type'],
    ] as const) {
      const headers = { origin, 'sec-fetch-site': 'cross-site', 'content-type': type };
      const refused = await client(service.url, null).post(SESSIONS, undefined, { headers, raw: body });
      assert.is(refused.body.code, code, `${type} ${origin}`);
      assert.is(refused.headers.get('set-cookie'), null);
    }
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
  const preflight = await fetch(`${service.url}${SESSIONS}`, {
    method: 'OPTIONS',
    headers: { origin: LISTED, ...asked },
  });
  assert.equal([preflight.status, preflight.headers.get('access-control-allow-credentials')], [204, null]);
});

test('two credentials are a 401, whichever they are, and neither is used [people-2]', async () => {
  const user = await reviewer();
  const { cookie, csrfToken } = await user.page();
  const token = (await people.logIn(user.email)).body.token as string;
  const { key } = await service.key(company.id);
  for (const other of [token, key, 'nonsense', cookie.split('=')[1] ?? ''])
    for (const path of ['/api/v1/submissions', '/api/v1/events', '/api/auth/me']) {
      const headers = { cookie, 'x-csrf-token': csrfToken, authorization: `Bearer ${other}` };
      const { status, body } = await client(service.url, headers).get(path);
      assert.equal([status, body.code], [401, 'unauthorized'], `${path} ${other.slice(0, 4)}`);
      assert.match(body.detail, /send one of them|Send `Authorization/);
    }
});

test('a token in the cookie that was issued as bearer, and the other way round, is a 401 [people-2]', async () => {
  const user = await reviewer();
  const { cookie } = await user.page();
  const token = (await people.logIn(user.email)).body.token as string;
  const swapped = [
    client(service.url, { cookie: `__Host-intake=${token}` }),
    client(service.url, cookie.split('=')[1] ?? ''),
  ];
  for (const api of swapped) assert.is((await api.get('/api/auth/me')).status, 401);
});

test('a log-in takes no session over: a planted cookie stays worthless, and the old session is another [people-7]', async () => {
  const user = await reviewer();
  const planted = `__Host-intake=ast_${'A'.repeat(43)}`;
  const begun = await client(service.url, { cookie: planted }).post(SESSIONS, {
    ...{ email: user.email, password: people.password, session: 'cookie' },
  });
  assert.is(begun.status, 201);
  assert.not.ok((begun.headers.get('set-cookie') ?? '').includes(planted));
  assert.is((await client(service.url, { cookie: planted }).get('/api/auth/me')).status, 401);
  const [first, second] = [await user.page(), await user.page()];
  assert.is.not(first.cookie, second.cookie);
  assert.is.not(first.csrfToken, second.csrfToken);
});

test('a log-in in a browser ends the session that its cookie was of, a refused one does not [people-7]', async () => {
  const user = await reviewer();
  const [first, elsewhere] = [await user.page(), await user.page()];
  const again = (password: string, more: object) =>
    people.logIn(user.email, password, more, { cookie: first.cookie });
  const status = async ({ api }: typeof first): Promise<number> => (await api.get('/api/auth/me')).status;
  assert.is((await again('wrong', { session: 'cookie' })).status, 401);
  assert.is((await again(people.password, {})).status, 201);
  assert.is(await status(first), 200, 'a program’s log-in replaces no cookie');
  assert.is((await again(people.password, { session: 'cookie' })).status, 201);
  assert.equal([await status(first), await status(elsewhere)], [401, 200]);
});

test('a session in a cookie that was idle for two hours is a 401, one as bearer is not [people-6]', async () => {
  const { email } = await reviewer();
  const past = people.ago(2.01);
  const { token: cookie = '' } = (await past.logIn(email, 'cookie')) ?? {};
  const { token = '' } = (await past.logIn(email)) ?? {};
  const page = await client(service.url, { cookie: `__Host-intake=${cookie}` }).get('/api/auth/me');
  assert.equal([page.status, page.body.detail], [401, 'The session of this cookie has ended: log in again.']);
  assert.is((await client(service.url, token).get('/api/auth/me')).status, 200);
});

test('people see their own sessions and end one, or all [people-8]', async () => {
  const [user, other] = [await reviewer(), await reviewer()];
  const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  const page = await user.page(firefox);
  const { data } = (await page.api.get(SESSIONS)).body;
  assert.equal(
    data.map(({ kind, agent, current }: Record<string, unknown>) => [kind, agent, current]),
    [
      ['cookie', 'Firefox on Linux', true],
      ['token', 'node', false],
    ],
  );
  const [, { sessionId }] = data;
  assert.is((await other.api.call('DELETE', `${SESSIONS}/${sessionId}`)).status, 404);
  assert.is((await page.api.call('DELETE', `${SESSIONS}/${sessionId}`)).status, 204);
  assert.is((await page.api.call('DELETE', `${SESSIONS}/${sessionId}`)).status, 404);
  assert.is((await user.api.get('/api/auth/me')).status, 401);
  const ended = await endAll(page.api);
  assert.equal(
    [ended.status, ended.headers.get('set-cookie')?.split(';').slice(0, 2)],
    [204, ['__Host-intake=', ' Max-Age=0']],
  );
  assert.is((await page.api.get('/api/auth/me')).status, 401);
  assert.is((await other.api.get('/api/auth/me')).status, 200);
});

test('log-ins, refused ones and log-outs are events, a refused one after its answer [people-9]', async () => {
  const { email, userId, api } = await reviewer();
  await people.logIn(email, 'wrong');
  await api.call('DELETE', SESSIONS);
  const events = await eventually('the refused log-in is recorded', async () => {
    const found = await logInsOf(people.log, userId);
    return found.length === 3 ? found : null;
  });
  assert.equal(events.map(({ type }) => type).sort(), ['UserLogInFailed', 'UserLoggedIn', 'UserLoggedOut']);
  for (const { metadata, data } of events) {
    assert.is(metadata.requestId?.length, 36);
    assert.is(data.companyId, company.id);
    if ('private' in data) assert.equal(data.private, { address: '127.0.0.1' });
  }
});

test('the actor of what a person does is that person; a body names no other [people-10]', async () => {
  const submissionId = await inReview();
  const path = `/api/v1/submissions/${submissionId}`;
  const { api, userId } = await reviewer();
  for (const decision of ['approve', 'reject', 'cancel']) {
    const { status, body } = await api.post(`${path}/${decision}`, { actor: 'somebody else' });
    assert.equal([status, body.errors?.[0]?.pointer], [422, '/actor'], decision);
  }
  const corrections = { company: 'ACME Trading Ltd' };
  assert.is((await api.post(`${path}/approve`, { actor: null, corrections })).status, 200);
  const { body } = await company.api.get(path);
  const [{ actor, keyId, field }] = body.corrections;
  assert.equal([actor, keyId, field], [`user:${userId}`, null, 'company']);
  const { data } = (await company.api.get(`${path}/events`)).body;
  assert.equal(data.at(-1).actor, { kind: 'user', id: userId });
  assert.is(data.at(-1).type, 'submission.approved');
});

test('a match is resolved by the person, whom the body does not name [people-10, fraud-16]', async () => {
  await inReview();
  const submissionId = await inReview();
  const matches = `/api/v1/submissions/${submissionId}/fraud-matches`;
  const { api, userId } = await reviewer();
  const [{ id }] = (await api.get(matches)).body.data;
  const resolve = (body: object) => api.post(`${matches}/${id}/resolve`, body);
  const refused = await resolve({ resolution: 'dismissed', resolvedBy: 'somebody else' });
  assert.equal([refused.status, refused.body.errors?.[0]?.pointer], [422, '/resolvedBy']);
  assert.is((await resolve({ resolution: 'dismissed' })).body.resolvedBy, `user:${userId}`);
});

test('people see the deliveries of all keys of the company, in their mode alone [people-11]', async () => {
  const [first, second] = [(await service.key(company.id)).api, (await service.key(company.id, 'test')).api];
  const made = [first, second].map((api, n) =>
    api.process([receiptText()], { webhookUrl: `${service.receiver.url}/people-${n}` }),
  );
  const [live, tried] = (await Promise.all(made)).map(({ sessionId }) => sessionId as string);
  const { api } = await people.user(company.id, 'auditor');
  const list = async (headers = {}) =>
    (await api.get('/api/v1/webhook-deliveries', { headers })).body.data.map(
      ({ sessionId }: { sessionId: string }) => sessionId,
    );
  await eventually('both are asked for', async () => {
    const inTest = { 'intake-mode': 'test' };
    return (await list()).includes(live) && (await list(inTest)).includes(tried);
  });
  assert.not.ok((await list()).includes(tried));
  assert.not.ok((await list({ 'intake-mode': 'test' })).includes(live));
});

test('a role that is changed takes effect at the next request', async () => {
  const { api, userId } = await reviewer();
  const path = `/api/v1/submissions/${await inReview()}/approve`;
  await people.changeRow(userId, { role: 'auditor' });
  const { status, body } = await api.post(path);
  assert.equal([status, body.code], [403, 'role-required']);
});
