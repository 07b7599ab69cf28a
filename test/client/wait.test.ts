import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { failureOf, hanging, json, scripted } from './fakes.ts';

const test = suite('client: wait');

test('wait ends in its time, also where the service does not answer', async () => {
  const silent = scripted([hanging]);
  assert.is((await failureOf(silent.intake.wait('ses_1', { timeoutMs: 20 }))).code, 'timed-out');
  const slow = scripted([json(200, { state: 'queued' }, { 'retry-after': '0' }), hanging]);
  assert.is((await failureOf(slow.intake.wait('ses_1', { timeoutMs: 200 }))).code, 'still-processing');
  const reason = new Error('enough');
  const stopped = scripted([hanging]).intake.wait('ses_1', { signal: AbortSignal.abort(reason) });
  assert.is(await stopped.catch((error: unknown) => error), reason);
});
