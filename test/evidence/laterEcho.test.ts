import * as assert from 'uvu/assert';
import { echoedNames } from '../../domain/submission/echoed.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { documentsOf } from '../../evidence/derive.ts';
import { REDACTED_PART } from '../../kernel/event.ts';
import { logged } from '../controls/events.ts';
import { created } from '../controls/submission.ts';
import { suite } from '../harness.ts';

const test = suite('evidence: what a later release echoes [audit-2]');

const stateOf = (event: SubmissionEvent): Readonly<Record<string, unknown>> => {
  const { 'state.json': state } = documentsOf(logged([event]), [], new Map());
  return state as Readonly<Record<string, unknown>>;
};
const withPrivate = (part: object): SubmissionEvent =>
  ({ ...created, data: { ...created.data, private: part } }) as SubmissionEvent;

// The first release's are there always, so that only a further name shows it.
const echoing = (name: string, body: () => void): void => {
  const names = echoedNames as unknown as string[];
  names.push(name);
  try {
    body();
  } finally {
    names.pop();
  }
};

test('is in the state of a submission that it was given for', () => {
  echoing('orderNumber', () => {
    const state = stateOf(withPrivate({ ...created.data.private, orderNumber: '4711' }));
    assert.equal([state.orderNumber, state.clientSubmissionId], ['4711', 'order-1']);
  });
});

test('is absent of one that it was not given for, and of one that is redacted: their packages hold as before', () => {
  const before = [created, withPrivate(REDACTED_PART)].map(stateOf);
  echoing('orderNumber', () => {
    assert.equal([created, withPrivate(REDACTED_PART)].map(stateOf), before);
    assert.is(Object.hasOwn(stateOf(created), 'orderNumber'), false);
  });
});
