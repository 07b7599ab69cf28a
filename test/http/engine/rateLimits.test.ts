import * as assert from 'uvu/assert';
import { COUNTED, countedAttempt, createRateLimits } from '../../../http/engine/access/rateLimits.ts';
import type { Problem } from '../../../http/engine/problems/problem.ts';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import { sharedWindow } from '../../../stores/sharedWindow.ts';
import { memoryCounts } from '../../controls/counts.ts';
import { failure, withStores } from '../../controls/stores.ts';
import { eventually, suite } from '../../harness.ts';
import { keys, startFixture } from './fixture.ts';

const test = suite('rate limits');
type Fixture = Awaited<ReturnType<typeof startFixture>>;
let fixture: Fixture;
let unlimited: Fixture;
test.before(async () => {
  const rateLimits = createRateLimits({ requestsPerSecond: 3, authFailures: 5, counts: memoryCounts() });
  fixture = await startFixture({ rateLimits, proxies: 1 });
  unlimited = await startFixture();
});
test.after(async () => {
  await fixture.close();
  await unlimited.close();
});

const open = (key: string | null, from = '192.0.2.1') =>
  fixture.call('/api/v1/open', { key, headers: { 'x-forwarded-for': from } });
const POLICY = '"default";q=3;w=1';
type Answer = Awaited<ReturnType<typeof open>>;
const begins = ({ headers }: Answer): boolean => /r=2;/.test(String(headers.ratelimit));

/** The answers to what is sent to a key within one window, of which one request has been used. */
const inOneWindow = (key: string, send: () => Promise<readonly Answer[]>) =>
  eventually('answers of one window', async () => {
    if (!begins(await open(key))) return null;
    const answers = await send();
    return answers.some(begins) ? null : answers;
  });
const burst = (count: number, key = keys.unscoped) =>
  inOneWindow(key, () => Promise.all(Array.from({ length: count }, () => open(key))));

test('each answer to a valid key tells the policy and where the key stands [limits-2]', async () => {
  const answers = await burst(2);
  assert.equal(
    answers.map(({ status, headers }) => [status, headers['ratelimit-policy'], headers.ratelimit]).sort(),
    [
      [200, POLICY, '"default";r=0;t=1'],
      [200, POLICY, '"default";r=1;t=1'],
    ],
  );
});

test('beyond the limit it is a 429 that may be repeated after the seconds it names [limits-1]', async () => {
  const answers = await burst(3);
  assert.equal(answers.map(({ status }) => status).sort(), [200, 200, 429]);
  const refused = answers.find(({ status }) => status === 429);
  const { code, retryable, type } = refused?.body ?? {};
  assert.equal([code, retryable, type], ['rate-limited', true, '/problems/rate-limited']);
  assert.equal([refused?.headers['retry-after'], refused?.headers.ratelimit], ['1', '"default";r=0;t=1']);
  await eventually('the next window', async () => (await open(keys.unscoped)).status === 200);
});

test('each key has a limit of its own', async () => {
  const answers = await burst(4);
  assert.ok(answers.some(({ status }) => status === 429));
  assert.is((await open(keys.company)).status, 200);
});

test('401 and 403 come before 429, and 429 before 400', async () => {
  const path = '/api/v1/things/thing-1/versions/0';
  const ask = (key: string) => fixture.call(path, { method: 'POST', key });
  const asked = (key: string) =>
    inOneWindow(key, async () => [...(await Promise.all([open(key), open(key)])), await ask(key)]);
  assert.is((await asked(keys.company)).at(-1)?.status, 429);
  const forbidden = (await asked(keys.unscoped)).at(-1);
  assert.equal([forbidden?.status, forbidden?.headers['ratelimit-policy']], [403, POLICY]);
  assert.is((await ask(keys.revoked)).status, 403);
  assert.is((await ask(keys.unknown)).status, 401);
});

test('an address that has used up its failures gets 429 in place of 401, others and valid keys go on [limits-4]', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1) statuses.push((await open(keys.unknown, '198.51.100.7')).status);
  assert.equal(statuses, [401, 401, 401, 401, 401, 429]);
  const refused = await open(keys.unknown, '198.51.100.7');
  assert.is(refused.body.code, 'rate-limited');
  const seconds = Number(refused.headers['retry-after']);
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, String(seconds));
  assert.is((await open(keys.unknown, '198.51.100.8')).status, 401);
  await eventually('a valid key', async () => (await open(keys.company, '198.51.100.7')).status === 200);
});

test('guesses sent all at once are counted as well', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => open(keys.unknown, '198.51.100.9')));
  assert.is(answers.filter(({ status }) => status === 401).length, 5);
});

test('an attempt that passed is no failure', async () => {
  const { logIn } = createRateLimits({
    requestsPerSecond: 1,
    authFailures: 2,
    counts: memoryCounts(),
  }).failures;
  for (let count = 0; count < 10; count += 1) {
    await logIn.admit('a');
    await logIn.passed('a');
  }
  await logIn.admit('a');
  await logIn.admit('a');
  assert.is((await failure(logIn.admit('a'))).name, 'Problem');
});

test('an attempt counts unless it passes; one that a store cuts short is nobody’s failure', async () => {
  const { logIn } = createRateLimits({
    requestsPerSecond: 1,
    authFailures: 2,
    counts: memoryCounts(),
  }).failures;
  const attempt = (outcome: () => Promise<boolean>) => countedAttempt(logIn, 'a', outcome, Boolean);
  const away = () => Promise.reject(new StoreUnavailable('away'));
  for (let count = 0; count < 5; count += 1) {
    assert.is(await attempt(async () => true), true);
    assert.is((await failure(attempt(away))).name, 'StoreUnavailable');
  }
  for (let count = 0; count < 2; count += 1) assert.is(await attempt(async () => false), false);
  assert.match((await failure(attempt(async () => true))).message, /Too many failed attempts/);
});

test('of many addresses the latest are remembered', async () => {
  const { logIn } = createRateLimits({
    requestsPerSecond: 1,
    authFailures: 1,
    counts: memoryCounts(),
  }).failures;
  for (let address = 0; address <= 10_000; address += 1) await logIn.admit(`${address}`);
  assert.match((await failure(logIn.admit('10000'))).message, /Too many failed attempts/);
  await logIn.admit('0');
});

test('a key tests ten webhook addresses a minute at most', async () => {
  const { webhookTest } = createRateLimits({
    requestsPerSecond: 1,
    authFailures: 1,
    counts: memoryCounts(),
  });
  for (let count = 0; count < 10; count += 1) await webhookTest('key_1');
  assert.match((await failure(webhookTest('key_1'))).message, /10 webhook addresses a minute/);
  await webhookTest('key_2');
});

test('a person exports evidence thirty times a minute at most [audit-4]', async () => {
  const { evidenceExport } = createRateLimits({
    requestsPerSecond: 1,
    authFailures: 1,
    counts: memoryCounts(),
  });
  for (let count = 0; count < 30; count += 1) await evidenceExport('usr_1');
  assert.match((await failure(evidenceExport('usr_1'))).message, /30 times a minute/);
  await evidenceExport('usr_2');
});

test(
  'a company invites a hundred times an hour, over all nodes; another has its own hundred [limits-6]',
  withStores(async ({ documents: { tables }, clock, pass }) => {
    const window = { tables, clock, table: 'invitationCounts', ...COUNTED.invitation };
    const node = () =>
      createRateLimits({
        requestsPerSecond: 1,
        authFailures: 1,
        counts: { ...memoryCounts(), invitation: sharedWindow(window) },
      }).invitation;
    const [one, two] = [node(), node()];
    for (let count = 0; count < 50; count += 1) {
      await one('cmp_1');
      await two('cmp_1');
    }
    pass(3_599_000);
    const refusal = await failure(two('cmp_1'));
    assert.match(refusal.message, /100 times an hour/);
    assert.equal((refusal as Problem).headers, { 'Retry-After': '1' });
    await one('cmp_2');
    await one(null);
    pass(1_000);
    await one('cmp_1');
  }),
);

test('a limit of 0 turns every limit off, and their headers [limits-3]', async () => {
  const off = createRateLimits({ requestsPerSecond: 0, authFailures: 1, counts: memoryCounts() });
  for (let count = 0; count < 20; count += 1) {
    await off.failures.logIn.admit('a');
    await off.webhookTest('key_1');
  }
  for (let count = 0; count <= 100; count += 1) {
    await off.invitation('cmp_1');
    await off.evidenceExport('usr_1');
  }
  const { headers } = await unlimited.call('/api/v1/open');
  assert.equal([headers.ratelimit, headers['ratelimit-policy']], [undefined, undefined]);
});
