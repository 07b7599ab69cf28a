import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { aggregates } from '../domain/aggregates.ts';
import { reactorsOf } from '../runtime/loops.ts';
import { eventsPage, reactors } from '../scripts/docs/eventsPage.ts';
import { suite } from './harness.ts';

const test = suite('docs/events.md');

test('is what the schemas say', () => {
  assert.is(readFileSync('docs/events.md', 'utf8'), eventsPage(), 'run npm run docs');
});

test('has every event, once', () => {
  const headings = [...eventsPage().matchAll(/^### (\w+)$/gm)].map(([, type]) => type);
  assert.equal(
    headings,
    aggregates.flatMap(({ events }) => Object.keys(events)),
  );
});

test('knows every reactor', () => {
  const names = reactorsOf({ handle: null, log: null, finishInvitation: null, documents: {} } as never).map(
    ({ name }) => name,
  );
  assert.equal(
    reactors.map(({ name }) => name),
    names,
  );
});
