import * as assert from 'uvu/assert';
import { type Checks, createReadiness, healthRoutes } from '../../../http/routes/health.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { suite } from '../../harness.ts';
import { startFixture } from './fixture.ts';

const test = suite('health and readiness');
let now = Date.parse('2026-01-01T00:00:00Z');
const scrape = async (): Promise<string> => '';
const clock: Clock = { now: () => new Date(now) };

const ready = async (checks: Checks, path = '/health/ready') => {
  const failures: unknown[] = [];
  const observer = { answered: () => {}, failed: (error: unknown) => void failures.push(error) };
  const readiness = createReadiness({ checks, observer, clock, hasStarted: () => true });
  const routes = healthRoutes({ readiness, scrape });
  const fixture = await startFixture({ routes });
  const answer = await fixture.call(path, { key: null });
  await fixture.close();
  return { ...answer, failures };
};

test('live needs nothing and nobody [operations-12]', async () => {
  const answer = await ready({ events: () => Promise.reject(new Error('away')) }, '/health/live');
  assert.equal([answer.status, answer.body], [200, { status: 'live' }]);
});

test('ready when every part is well [operations-12]', async () => {
  const answer = await ready({ events: async () => null, projections: async () => null });
  assert.is(answer.status, 200);
  assert.equal(answer.body.checks, [
    { name: 'events', ok: true, detail: null },
    { name: 'projections', ok: true, detail: null },
  ]);
});

test('a 503 says which part is not, also one that throws or hangs, and tells nothing of the inside [operations-12]', async () => {
  const answer = await ready({
    events: async () => null,
    projections: async () => 'submissions is 12 events behind',
    objects: () => Promise.reject(new Error('secret host')),
    documents: () => new Promise(() => {}),
  });
  assert.equal([answer.status, answer.body.code, answer.headers['retry-after']], [503, 'not-ready', '1']);
  const well = answer.body.checks.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok]);
  assert.equal(well, [
    ['events', true],
    ['projections', false],
    ['objects', false],
    ['documents', false],
  ]);
  assert.is(answer.body.checks[1].detail, 'submissions is 12 events behind');
  assert.not.ok(answer.text.includes('secret'));
  assert.is(answer.failures.length, 1);
});

test('the checks run at most once a second, however many ask, and anew once the process has started', async () => {
  const seen = { looks: 0, started: false };
  const check = async () => {
    seen.looks += 1;
    return seen.looks < 3 ? 'away' : null;
  };
  const observer = { answered: () => {}, failed: () => {} };
  const hasStarted = () => seen.started;
  const fixture = await startFixture({
    routes: healthRoutes({
      readiness: createReadiness({ checks: { check }, observer, clock, hasStarted }),
      scrape,
    }),
  });
  const ask = async () => (await fixture.call('/health/ready', { key: null })).status;
  assert.equal(await Promise.all([ask(), ask(), ask()]), [503, 503, 503]);
  now += 999;
  assert.is(await ask(), 503);
  assert.is(seen.looks, 1);
  now += 1;
  assert.is(await ask(), 503);
  assert.is(seen.looks, 2);
  seen.started = true;
  assert.equal(await Promise.all([ask(), ask(), ask()]), [200, 200, 200]);
  assert.is(seen.looks, 3);
  await fixture.close();
});
