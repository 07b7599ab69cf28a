import * as assert from 'uvu/assert';
import type { FigureFacts } from '../../projections/figureFacts.ts';
import { figuresOf } from '../../projections/reviewFigures.ts';
import { suite } from '../harness.ts';

const test = suite('figures of reviews');

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString();
const fact = (over: Partial<FigureFacts>): FigureFacts => ({
  ...{ id: 'sub_1', createdAt: at(0), slug: 'receipt', outcome: null },
  ...{ since: null, until: null, corrected: [] },
  ...over,
});
const days = ['2026-11-20', '2026-11-21'];

test('each outcome counts on the day of the session, and a day without any has figures too [figures-1]', () => {
  const outcomes = ['automatic', 'automatic', 'approved', 'rejected', 'cancelled', 'failed', null] as const;
  const facts = outcomes.map((outcome) => fact({ outcome }));
  const { counted, isCut, days: found } = figuresOf([...facts, fact({ since: at(1) })], days);
  assert.equal([counted, isCut], [8, false]);
  const none = { received: 0, approvedAutomatically: 0, approved: 0, rejected: 0, cancelled: 0, failed: 0 };
  const waitedMs = { p50: null, p95: null };
  assert.equal(found, [
    { date: '2026-11-20', ...none, waiting: 0, waitedMs },
    {
      ...{ date: '2026-11-21', received: 8, approvedAutomatically: 2, approved: 1, rejected: 1 },
      ...{ cancelled: 1, failed: 1, waiting: 1, waitedMs },
    },
  ]);
});

test('half of the reviews took no longer than p50, 95 of 100 than p95 [figures-1]', () => {
  const facts = Array.from({ length: 20 }, (_, n) => fact({ since: at(0), until: at(20 - n) }));
  const waited = figuresOf(facts, days).days[1]?.waitedMs;
  assert.equal(waited, { p50: 10 * 60_000, p95: 19 * 60_000 });
});

test('fields are told with how many approvals of their workflow changed them [figures-2]', () => {
  const approved = (slug: string, corrected: readonly string[]) =>
    fact({ outcome: 'approved', slug, corrected });
  const { fields } = figuresOf(
    [
      ...[approved('receipt', ['total', 'date']), approved('receipt', ['total']), approved('receipt', [])],
      ...[approved('invoice', ['date']), fact({ outcome: 'automatic' })],
    ],
    days,
  );
  assert.equal(fields, [
    { workflow: 'invoice', field: 'date', corrected: 1, approved: 1 },
    { workflow: 'receipt', field: 'total', corrected: 2, approved: 3 },
    { workflow: 'receipt', field: 'date', corrected: 1, approved: 3 },
  ]);
});
