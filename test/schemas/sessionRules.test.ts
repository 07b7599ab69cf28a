import * as assert from 'uvu/assert';
import { sessionFaults } from '../../schemas/sessionRules.ts';
import { suite } from '../harness.ts';

const test = suite('session rules');

const metadataOf = (bytes: number): Record<string, string> => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

test('metadata takes 16 KiB as JSON in UTF-8, and not a byte more [sessions-4]', () => {
  assert.equal(sessionFaults({ metadata: metadataOf(16_384) }), []);
  assert.is(sessionFaults({ metadata: metadataOf(16_385) })[0]?.pointer, '/metadata');
  assert.is(sessionFaults({ metadata: { a: 'ü'.repeat(8_190) } })[0]?.pointer, '/metadata');
  assert.equal(sessionFaults({ metadata: {} }), []);
});

test('a webhookUrl keeps its rules', () => {
  assert.equal(sessionFaults({ webhookUrl: 'https://example.com/hook' }), []);
  assert.is(sessionFaults({ webhookUrl: 'http://example.com/hook' })[0]?.pointer, '/webhookUrl');
});
