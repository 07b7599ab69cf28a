import * as assert from 'uvu/assert';
import { type Entry, entryText } from '../../cli/timeline.ts';
import { suite } from '../harness.ts';

const test = suite('cli/timeline');

const entry = (type: string, said: object, changes: Entry['changes'] = []): Entry =>
  ({
    ...{ revision: 3, type, occurredAt: '2026-11-28T10:00:00.000Z', requestId: null },
    ...{ actor: { kind: 'user', id: 'usr_1' }, data: { private: said }, changes },
    ...{ known: true, schema: 1, faults: [] },
  }) as unknown as Entry;

test('what people wrote is told where no state keeps it', () => {
  assert.match(
    entryText(entry('SubmissionNoteAdded', { text: 'ask the shop' })),
    /^ {4}note: .*ask the shop/m,
  );
  assert.match(
    entryText(entry('SubmissionPostponed', { reason: 'no receipt' })),
    /^ {4}reason: .*no receipt/m,
  );
});

test('what a change tells is not told twice', () => {
  const changes = [{ pointer: '/rejectReason', from: null, to: 'not ours' }];
  const text = entryText(entry('SubmissionRejected', { reason: 'not ours' }, changes));
  assert.is(text.split('not ours').length, 2);
});
