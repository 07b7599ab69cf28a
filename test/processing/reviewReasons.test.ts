import * as assert from 'uvu/assert';
import { reviewReasons } from '../../processing/reviewReasons.ts';
import { suite } from '../harness.ts';

const test = suite('review reasons');

const auto = { review: 'auto', reviewBelow: 0.8 } as const;
const missing = { code: 'missing_required', field: 'total' } as const;
const low = (field: string | null) => ({ code: 'low_confidence', field });
/** What was read: each field with its confidence, null where nothing was found. */
const extracted = (
  confidence: number,
  fields: Readonly<Record<string, number | null>>,
  findings = [missing],
) => ({
  findings,
  confidence,
  extractedData: Object.fromEntries(
    Object.entries(fields).map(([name, sure]) => [name, sure === null ? null : 'x']),
  ),
  fieldConfidences: Object.fromEntries(Object.entries(fields).map(([name, sure]) => [name, sure ?? 0])),
});

test('what sends extracted data to a review [lifecycle-17, lifecycle-19]', () => {
  assert.equal(reviewReasons(extracted(0.8, { total: 0.8 }, []), auto), []);
  assert.equal(reviewReasons(extracted(0.799, { total: 0.799 }, []), auto), [low('total')]);
  assert.equal(reviewReasons(extracted(1, { total: null, date: 1 }), auto), [missing]);
  const always = { ...auto, review: 'always' } as const;
  assert.equal(reviewReasons(extracted(0.1, { total: null, date: 0.1 }), always), [
    ...[missing, low('date'), { code: 'always_review', field: null }],
  ]);
});

test('a field with a line of its own is judged by that alone, the others as ever [workflows-21]', () => {
  const fields = [
    { name: 'company', required: true },
    { name: 'total', required: true },
    { name: 'note', required: false },
  ];
  const by = (fieldsBelow: Readonly<Record<string, number>>, read: Parameters<typeof extracted>[1]) =>
    reviewReasons(
      extracted(Math.min(read.company ?? 1, read.total ?? 1), read, []),
      { ...auto, fieldsBelow },
      fields,
    );
  const unsure = { company: 0.9, total: 0.7, note: 1 };
  assert.equal(by({}, unsure), [low('total')]);
  assert.equal(by({ total: 0.6 }, unsure), []);
  assert.equal(by({ total: 0.7 }, unsure), []);
  assert.equal(by({ total: 0.95, company: 0.95 }, unsure), [low('company'), low('total')]);
  assert.equal(by({ note: 0.95 }, { company: 0.9, total: 0.9, note: 0.9 }), [low('note')]);
  assert.equal(by({ total: 0.5 }, { company: 0.7, total: 0.6, note: 1 }), [low('company')]);
  assert.equal(by({ total: 0.5 }, { company: 0.9, total: 0.6, note: 0.1 }), []);
  assert.equal(by({ company: 0.5 }, { company: null, total: 0.9, note: null }), []);
});

test('a low confidence names each field that is below the line, and none of which nothing was found [review-9]', () => {
  const fields = { company: 0.9, date: 0.7, address: 0.2, total: null };
  assert.equal(reviewReasons(extracted(0.7, fields, []), auto), [low('date'), low('address')]);
});

test('a low confidence names the least sure field where none is below the line, and none where nothing was found [review-9]', () => {
  const above = { company: 0.9, date: 0.85, total: null };
  assert.equal(reviewReasons(extracted(0.5, above, []), auto), [low('date')]);
  assert.equal(reviewReasons(extracted(0, { total: null }, []), auto), [low(null)]);
});
