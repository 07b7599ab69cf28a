import * as assert from 'uvu/assert';
import { businessKeyOf } from '../../domain/fraud/businessKey.ts';
import type { HashedFile, Material } from '../../domain/fraud/check.ts';
import type { FraudCheckType } from '../../domain/fraud/checks.ts';
import { traitsOf } from '../../domain/fraud/checks.ts';
import type { FingerprintedPage } from '../../domain/fraud/pages.ts';
import { pagesToCompare } from '../../domain/fraud/pages.ts';
import { submission } from '../../domain/submission/submission.ts';
import type { OutputField } from '../../domain/workflow.ts';
import {
  cancelled,
  failed,
  fingerprint,
  fingerprinted,
  historyOf,
  processed,
} from '../controls/submission.ts';
import { definition, outputField } from '../controls/workflow.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('fingerprints');

const fields: readonly OutputField[] = [
  outputField('company'),
  outputField('date', { type: 'date' }),
  outputField('total', { type: 'number' }),
  outputField('count', { type: 'integer' }),
  outputField('paid', { type: 'boolean' }),
];
const keyOf = (data: Readonly<Record<string, unknown>>, names = Object.keys(data)) =>
  businessKeyOf(fields, names, data);

const same: readonly (readonly [unknown, unknown])[] = [
  ['ACME Trading', 'acme trading'],
  ['ACME Trading', ' ACME  Trading. '],
  ['A.C.M.E. Trading', 'ACME-Trading'],
  ['2024-001', '2024/001'],
  ['No. 12 - 34', 'no 12.34'],
  ['ＡＣＭＥ', 'acme'],
  ['café', 'cafe\u0301'],
  ['Café Müller', 'CAFE MULLER'],
  ['Hauptstraße 5', 'HAUPTSTRASSE 5'],
];
for (const [one, other] of same)
  test(`the texts ${JSON.stringify(one)} and ${JSON.stringify(other)} are the same [fraud-3]`, () => {
    assert.type(keyOf({ company: one }), 'string');
    assert.is(keyOf({ company: one }), keyOf({ company: other }));
  });

const different: readonly (readonly [unknown, unknown])[] = [
  ['ACME', 'ACNE'],
  ['1/23', '12/3'],
  ['1.5', '15'],
  ['ACME 1', 'ACME 2'],
  ['कि', 'का'],
  ['がき', 'かき'],
];
for (const [one, other] of different)
  test(`the texts ${JSON.stringify(one)} and ${JSON.stringify(other)} differ [fraud-3]`, () =>
    assert.is.not(keyOf({ company: one }), keyOf({ company: other })));

test('numbers, dates and truth are compared as what they are', () => {
  assert.is(keyOf({ total: 80.9 }), keyOf({ total: 80.9 }));
  assert.is(keyOf({ total: 0 }), keyOf({ total: -0 }));
  assert.is(keyOf({ total: 0.1 + 0.2 }), keyOf({ total: 0.3 }));
  assert.is.not(keyOf({ total: 80.9 }), keyOf({ total: 809 }));
  assert.is.not(keyOf({ total: 1_234_567_890.12 }), keyOf({ total: 1_234_567_890.13 }));
  assert.is.not(keyOf({ count: 1_234_567_890_123_456 }), keyOf({ count: 1_234_567_890_123_457 }));
  assert.is.not(keyOf({ count: 1 }), keyOf({ count: 2 }));
  assert.is.not(keyOf({ paid: true }), keyOf({ paid: false }));
  assert.is.not(keyOf({ date: '2018-03-12' }), keyOf({ date: '2018-12-03' }));
});

const missing: readonly Readonly<Record<string, unknown>>[] = [
  { company: null },
  { company: '' },
  { company: ' -- ' },
  { company: undefined },
  { company: 5 },
  { total: '80.9' },
  { total: Number.NaN },
  { date: 'yesterday' },
  { paid: 'yes' },
];
for (const part of missing)
  test(`a key with ${JSON.stringify(part)} has a missing part [fraud-4]`, () => {
    assert.is(keyOf(part), null);
    assert.is(keyOf({ count: 1, ...part }), null);
  });
test('nothing is a key of no fields, of a field that is not there, or of a member of every object', () => {
  assert.is(keyOf({}), null);
  assert.is(keyOf({ company: 'a' }, ['company', 'nothing']), null);
  assert.is(businessKeyOf([outputField('toString')], ['toString'], {}), null);
});

test('a key does not depend on the order in which a version lists its fields, and depends on their names', () => {
  const data = { company: 'ACME', total: 1 };
  assert.is(keyOf(data, ['company', 'total']), keyOf(data, ['total', 'company']));
  assert.is.not(keyOf({ total: 1 }), keyOf({ count: 1 }));
});

const versionWith = (...checks: FraudCheckType[]) => {
  const { processing } = definition;
  const fraud = { ...processing.fraud, checks, businessKey: ['total'] };
  return { outputSchema: fields, processing: { ...processing, fraud } };
};
const materialOf = (own: readonly HashedFile[], data: Material['data']): Material => ({
  ...{ keyId: 'key_1', outputSchema: fields, businessKey: ['total'], files: own, data, pages: [] },
});
const front = { fileId: 'fil_1', label: 'front' };
const back = { fileId: 'fil_2', label: 'back' };
const files = [
  { ...front, sha256: 'aa' },
  { ...back, sha256: 'bb' },
];

test('only the checks that the version names take traits from a submission', () => {
  const typesOf = (...checks: FraudCheckType[]) =>
    traitsOf(versionWith(...checks), materialOf(files, { total: 1 })).map(({ check }) => check.type);
  assert.equal(typesOf(), []);
  assert.equal(typesOf('duplicate_file'), ['duplicate_file', 'duplicate_file']);
  assert.equal(typesOf('duplicate_data'), ['duplicate_data']);
  assert.equal(typesOf('near_duplicate_image'), []);
  assert.equal(traitsOf(versionWith('duplicate_data'), materialOf(files, { total: null })), []);
});

test('of eight pages those that are too large together are skipped, the largest first', () => {
  const page = (number: number, kilobytes: number): FingerprintedPage => ({
    visual: {
      ...front,
      page: number,
      width: 1,
      height: 1,
      strokes: 'x'.repeat(1_024 * kilobytes),
      words: [],
    },
    keys: [],
  });
  const kept = (...sizes: readonly number[]) =>
    pagesToCompare(sizes.map((size, n) => page(n + 1, size))).map(({ visual }) => visual.page);
  assert.equal(kept(8, 8, 8), [1, 2, 3]);
  assert.equal(kept(95, 95, 8, 8), [1, 3, 4]);
  assert.equal(kept(...Array(12).fill(8)), [1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a file that was uploaded twice is one trait of two files', () => {
  const twice = [...files, { fileId: 'fil_3', label: 'file-3', sha256: 'aa' }];
  const traits = traitsOf(versionWith('duplicate_file'), materialOf(twice, {}));
  assert.equal(
    traits.map(({ check, text, files: own }) => [check.type, text, own]),
    [
      ['duplicate_file', 'aa', [front, { fileId: 'fil_3', label: 'file-3' }]],
      ['duplicate_file', 'bb', [back]],
    ],
  );
});

const record = {
  type: 'RecordFingerprints',
  round: 1,
  attempt: 1,
  fingerprints: [fingerprint],
  prints: [],
} as const;
const { processing } = historyOf;

test('fingerprints are recorded while a submission is processed', () =>
  given(submission, ...processing)
    .when(record)
    .then(fingerprinted));
test('none are no event', () =>
  given(submission, ...processing)
    .when({ ...record, fingerprints: [] })
    .then());
test('a second attempt keeps the place of the first', () => {
  const again = { ...record, attempt: 2, fingerprints: [{ ...fingerprint, value: 'other' }] };
  const events = given(submission, ...processing, fingerprinted)
    .when({ type: 'StartProcessing', maxAttempts: 3, at: '2026-11-21T10:00:00.000Z' })
    .thenTypes('SubmissionProcessingStarted');
  const second = given(submission, ...processing, fingerprinted, ...events);
  second.when(again).then();
  assert.equal(second.state?.fingerprints, [fingerprint]);
});
test('another attempt’s are refused', () =>
  void given(submission, ...processing)
    .when({ ...record, attempt: 2 })
    .thenRefused('ProcessingAttemptSuperseded'));
test('of a submission that was cancelled or has its result none are recorded', () => {
  given(submission, ...processing, cancelled('processing'))
    .when(record)
    .then();
  given(submission, ...historyOf.approved)
    .when(record)
    .then();
});

test('what fails or is cancelled says which fingerprints count no longer', () => {
  const past = [...processing, fingerprinted];
  const cancel = { type: 'Cancel', reason: 'no', actor: null } as const;
  const fail = { type: 'RecordResult', round: 1, attempt: 1 } as const;
  const value = [fingerprint.value];
  for (const kind of ['failed', 'capture_quality_blocked'] as const) {
    const [event] = given(submission, ...past)
      .when({ ...fail, result: { kind, reason: 'x' } })
      .thenTypes('SubmissionProcessingFailed');
    assert.equal(event?.type === 'SubmissionProcessingFailed' && event.data.fingerprints, value);
  }
  const [event] = given(submission, ...past, processed('review'))
    .when(cancel)
    .thenTypes('SubmissionCancelled');
  assert.equal(event?.type === 'SubmissionCancelled' && event.data.fingerprints, value);
  given(submission, ...processing)
    .when(cancel)
    .then(cancelled('processing'));
});

test('a new round takes a new place', () => {
  const past = [...processing, fingerprinted, failed('failed')];
  const reopened = given(submission, ...past)
    .when({ type: 'Reprocess' })
    .thenTypes('SubmissionReprocessingRequested');
  const started = given(submission, ...past, ...reopened)
    .when({ type: 'StartProcessing', maxAttempts: 3, at: '2026-11-21T10:00:00.000Z' })
    .thenTypes('SubmissionProcessingStarted');
  given(submission, ...past, ...reopened, ...started)
    .when({ ...record, round: 2 })
    .thenTypes('SubmissionFingerprinted');
});
