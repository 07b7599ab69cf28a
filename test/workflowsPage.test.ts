import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { withFieldTypes } from '../scripts/docs/fieldTypes.ts';
import { withFraudChecks } from '../scripts/docs/fraudChecks.ts';
import { suite } from './harness.ts';

const test = suite('docs/workflows.md');

test('describes every fraud check as its record does', () => {
  const page = readFileSync('docs/workflows.md', 'utf8');
  assert.is(page, withFraudChecks(page), 'run npm run docs');
});

test('names every type of field', () => {
  const page = readFileSync('docs/workflows.md', 'utf8');
  assert.is(page, withFieldTypes(page), 'run npm run docs');
});
