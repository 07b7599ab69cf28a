import * as assert from 'uvu/assert';
import { outputJsonSchemaOf } from '../../../domain/outputJsonSchema.ts';
import { Unreadable } from '../../../processing/errors.ts';
import { outcomeOfAnswer } from '../../../processing/extractor/answer.ts';
import { version } from '../../controls/workflow.ts';
import { suite } from '../../harness.ts';

const test = suite('what an extractor answers');
const { outputSchema } = version;
const outcomeOf = (text: string) =>
  outcomeOfAnswer({ outputSchema, outputJsonSchema: outputJsonSchemaOf(outputSchema) }, text);
/** Why an answer is refused. */
const refusalOf = (text: string): string => {
  try {
    outcomeOf(text);
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
  return assert.unreachable('it was accepted') as never;
};
const BYTE_ORDER_MARK = '\uFEFF';

test('a blank reason is none, and a reason is trimmed', () => {
  for (const reason of ['', '  ', '\n\t\u00A0'])
    assert.is(
      refusalOf(JSON.stringify({ status: 'failed', reason })),
      'The extractor’s answer is not valid: /reason must not be blank.',
    );
  assert.equal(outcomeOf('{"status":"capture_quality_blocked","reason":" Too dark.\\n"}'), {
    kind: 'capture_quality_blocked',
    reason: 'Too dark.',
  });
});

test('a refusal names its other faults too', () => {
  assert.match(refusalOf('{"status":"fine","reason":" "}'), /\/status must be one of .*; \/reason must not/);
  for (const reason of ['null', '7'])
    assert.match(refusalOf(`{"status":"failed","reason":${reason}}`), /string/);
  assert.match(refusalOf('{"status":"failed"}'), /\/reason is required/);
});

test('one byte order mark before the JSON is ignored', () => {
  const answer = '{"fields":{"total":80.9}}';
  assert.equal(outcomeOf(`${BYTE_ORDER_MARK}${answer}`), outcomeOf(answer));
  assert.match(refusalOf(`${BYTE_ORDER_MARK}${BYTE_ORDER_MARK}${answer}`), /is no JSON/);
  assert.match(refusalOf(`${BYTE_ORDER_MARK}<html>`), /line 1, column 1\./);
});
