import * as assert from 'uvu/assert';
import { ending } from '../../processing/attempt.ts';
import { PoorPicture, Unreadable } from '../../processing/errors.ts';
import type { Extracted } from '../../processing/types.ts';
import { failure } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('processing/attempt');

/** An extraction of so many bytes; findings and fingerprints, which are no part of it, take some more. */
const extracted = (bytes: number): Extracted => {
  const kept = { extractedData: { note: '' }, fieldConfidences: { note: 1 }, aiSummary: '' };
  const result = { fields: {}, pages: 1, files: [] };
  const rest = Buffer.byteLength(JSON.stringify({ ...kept, result }));
  return {
    ...{ kind: 'extracted', ...kept, extractedData: { note: 'x'.repeat(bytes - rest) }, result },
    ...{
      confidence: 1,
      certainty: 1,
      findings: [{ code: 'invalid_field', field: 'note' }],
      fingerprintedPages: [],
    },
  };
};

test('an extraction may take 256 KiB, whatever comes with it; one byte more fails with its reason', async () => {
  const largest = extracted(262_144);
  assert.is(await ending(() => largest), largest);
  assert.equal(await ending(() => extracted(262_145)), {
    kind: 'failed',
    reason:
      'The values that were read take 257 KiB, told in extractedData and again in result: more than the 256 KiB that are kept.',
  });
});

test('a fault of a file is an outcome, any other error is thrown', async () => {
  const throwing = (error: Error) => ending(() => Promise.reject(error));
  assert.equal(await throwing(new Unreadable('no PDF')), { kind: 'failed', reason: 'no PDF' });
  const blocked = { kind: 'capture_quality_blocked', reason: 'blurred' };
  assert.equal(await throwing(new PoorPicture('blurred')), blocked);
  const unexpected = new Error('ours');
  assert.is(await failure(throwing(unexpected)), unexpected);
});
