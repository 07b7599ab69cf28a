import * as assert from 'uvu/assert';
import {
  addFigures,
  createFigures,
  type Minute,
  NOT_MEASURED,
  type Totals,
} from '../../telemetry/figures.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { standingClock } from '../controls/clock.ts';
import { examples } from '../controls/events.ts';
import { suite } from '../harness.ts';

const test = suite('figures of the last hour [operations-21]');
const NONE: Totals = {
  ...{ requests: 0, problems: 0, submissions: 0 },
  ...{ processed: 0, decided: 0, deliveries: 0, failedDeliveries: 0, durations: [] },
};

/** The figures of a process that has counted so many requests. */
const process = () => {
  const { clock, pass } = standingClock('2026-11-21T10:00:20.000Z');
  const counted = { requests: 0 };
  const figures = createFigures(async () => ({ ...NONE, ...counted }), clock);
  const requests = async (lag: number | null = null) =>
    (await figures({ ...NOT_MEASURED, lagSeconds: lag })).map((minute) => [
      minute.at.slice(11, 16),
      minute.requests,
    ]);
  return { clock, pass, counted, figures, requests };
};

test('what was counted since the call before belongs to the minute of the call', async () => {
  const { pass, counted, requests } = process();
  counted.requests = 5;
  assert.equal(await requests(), [['10:00', 5]]);
  counted.requests = 7;
  pass(30_000);
  assert.equal(await requests(), [['10:00', 7]]);
  pass(30_000);
  counted.requests = 8;
  assert.equal(await requests(), [
    ['10:00', 7],
    ['10:01', 1],
  ]);
  pass(60_000);
  assert.equal((await requests()).at(-1), ['10:02', 0]);
});

test('an hour is kept, whatever happens to the clock', async () => {
  const { pass, counted, requests } = process();
  for (let minute = 0; minute < 70; minute += 1) {
    counted.requests += 1;
    await requests();
    pass(60_000);
  }
  const found = await requests();
  assert.equal([found.length, found[0], found.at(-1)], [60, ['10:11', 1], ['11:10', 0]]);
  pass(30 * 24 * 3_600_000);
  assert.is((await requests()).length, 1, 'set ahead by a month');
  pass(-30 * 24 * 3_600_000);
  counted.requests += 1;
  assert.equal(
    (await requests()).map(([, count]) => count),
    [1],
    'and back',
  );
});

test('the longest lag of a minute counts; none where it was never measured', async () => {
  const { figures, pass } = process();
  const lag = async (lagSeconds: number | null) =>
    (await figures({ ...NOT_MEASURED, lagSeconds })).at(-1)?.lagSeconds;
  assert.equal([await lag(null), await lag(2), await lag(0.5), await lag(null)], [null, 2, 2, 2]);
  pass(60_000);
  assert.equal([await lag(0)], [0]);
});

test('so does the longest of each queue', async () => {
  const { figures, pass } = process();
  const queues = async (measured: Readonly<Record<string, number>> | null) =>
    (await figures({ ...NOT_MEASURED, queues: measured })).at(-1)?.queues;
  assert.is(await queues(null), null);
  assert.equal(await queues({ syncs: 3, mails: 0 }), { syncs: 3, mails: 0 });
  assert.equal(await queues({ syncs: 1, mails: 2 }), { syncs: 3, mails: 2 });
  assert.equal(await queues(null), { syncs: 3, mails: 2 });
  pass(60_000);
  assert.equal(await queues({ syncs: 1, mails: 0 }), { syncs: 1, mails: 0 });
});

test('times are estimated from the histograms of all processes together', () => {
  const of = (durations: readonly number[]) =>
    addFigures(
      [[{ ...NONE, ...NOT_MEASURED, at: '2026-11-21T10:59:00.000Z', durations }]],
      new Date('2026-11-21T10:59:30.000Z'),
    ).at(-1);
  const times = (durations: readonly number[]) => [of(durations)?.p50Seconds, of(durations)?.p99Seconds];
  assert.equal(times([]), [null, null]);
  assert.equal(times([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), [null, null]);
  assert.equal(times([100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100]), [0.0025, 0.00495]);
  assert.equal(times([0, 50, 50, 50, 50, 50, 50, 100, 100, 100, 100, 100]), [0.01, 0.99]);
  assert.equal(times([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4]), [10, 10], 'longer than any bound');
  const minute = { ...NONE, ...NOT_MEASURED, at: '2026-11-21T10:59:00.000Z' };
  const [slow, fast] = [Array<number>(11).fill(0), Array<number>(12).fill(98)];
  const both = addFigures(
    [[{ ...minute, durations: [...slow, 2] }], [{ ...minute, durations: fast }]],
    new Date('2026-11-21T10:59:30.000Z'),
  ).at(-1);
  assert.equal([both?.p50Seconds, both?.p99Seconds], [0.00255, 10]);
});

test('minutes of several processes are added up; of a minute in which nobody counted nothing is said', () => {
  const minute = (at: string, requests: number, lagSeconds: number | null): Minute => ({
    ...{ ...NONE, ...NOT_MEASURED, at: `2026-11-21T${at}:00.000Z`, requests, lagSeconds },
  });
  const now = new Date('2026-11-21T10:59:59.999Z');
  const one = [minute('09:59', 100, 9), minute('10:00', 1, null), minute('10:59', 2, 3)];
  const two = [minute('10:59', 3, 1), minute('11:00', 100, 9)];
  const found = addFigures([one, two], now);
  assert.is(found.length, 60);
  const told = found.map(({ at, requests, problems, lagSeconds }) => [
    at.slice(11, 16),
    ...[requests, problems, lagSeconds],
  ]);
  assert.equal(
    [told[0], told[1], told.at(-1)],
    [
      ['10:00', 1, 0, null],
      ['10:01', null, null, null],
      ['10:59', 5, 0, 3],
    ],
  );
});

test('they are the metrics of the process: requests but those of probes, rounds that ended, attempts', async () => {
  const { clock } = standingClock();
  const { recorder, totals } = createMetrics(clock);
  assert.equal(await totals(), { ...NONE, durations: Array(12).fill(0) });
  const answered = (endpoint: string | null, status: number): void =>
    recorder.answered({ endpoint, status, method: 'GET', durationMs: 30 } as never);
  for (const endpoint of ['getReady', 'getLive', 'getMetrics', 'getFigures', 'listWorkflows', null])
    answered(endpoint, 200);
  for (const status of [404, 500, 503]) answered('listWorkflows', status);
  answered('getReady', 503);
  answered('listReviewQueue', 200);
  const { WebhookAttempted: attempted, SessionSubmitted, SubmissionProcessed } = examples;
  const failed = { ...attempted, data: { ...attempted.data, error: 'timeout' } };
  const delivered = { ...attempted, data: { ...attempted.data, error: null } };
  const delayed = examples.SubmissionProcessingDelayed;
  const decisions = [examples.SubmissionApproved, examples.SubmissionRejected, examples.SubmissionCancelled];
  const outcomes = [SessionSubmitted, SubmissionProcessed, delayed, ...decisions];
  for (const event of [failed, failed, delivered, ...outcomes]) recorder.appended([event], 1);
  assert.equal(await totals(), {
    ...{ requests: 6, problems: 2, submissions: 1 },
    ...{ processed: 1, decided: 2, deliveries: 1, failedDeliveries: 2 },
    durations: [0, 0, 0, 5, 5, 5, 5, 5, 5, 5, 5, 5],
  });
});
