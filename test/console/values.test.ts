import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { submissionEvents } from '../../domain/submission/state.ts';
import { publicName } from '../../kernel/event.ts';
import { suite } from '../harness.ts';

const test = suite('console: a text for each value');

const texts = JSON.parse(readFileSync('console/texts.en.json', 'utf8'));

const lists: readonly (readonly [string, readonly string[], object])[] = [
  ['event of a submission', Object.keys(submissionEvents).map(publicName), texts.timeline.types],
];
for (const [name, values, words] of lists)
  test(`each ${name} has its text, and each text its ${name}`, () =>
    assert.equal(Object.keys(words).sort(), [...values].sort()));
