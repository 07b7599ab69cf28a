import * as assert from 'uvu/assert';
import { ExtractorUnavailable } from '../../processing/extractor/unavailable.ts';
import { reportDelay } from '../../runtime/workerReports.ts';
import { createLogger, reportTo } from '../../telemetry/log.ts';
import { suite } from '../harness.ts';

const test = suite('log lines of processing that is tried again');
const RETRY_AT = '2026-11-22T10:00:00.000Z';

/** The one line that is written about an error. */
const lineOf = (error: Error, retryAt: string | null = RETRY_AT): Readonly<Record<string, unknown>> => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  reportDelay(reportTo(logger, () => false))('sub_1', error, retryAt);
  assert.is(lines.length, 1);
  const { time: _, ...line } = JSON.parse(lines[0] ?? '');
  return line;
};
const [WARN, ERROR] = [40, 50];

test('an unavailable extractor gives one warning without a stack, with the time of the next try', () => {
  const reason = 'The extractor gave no result: answered 503.';
  const facts = { level: WARN, submissionId: 'sub_1', reason };
  const away = new ExtractorUnavailable('answered 503');
  assert.equal(lineOf(away), {
    ...facts,
    retryAt: RETRY_AT,
    msg: 'an extractor is unavailable and will be tried again',
  });
  assert.equal(lineOf(away, null), {
    ...facts,
    retryAt: null,
    msg: 'an extractor is unavailable and was given up',
  });
});

test('a secret that is not set is an error that names the setting', () => {
  const { level, setting, msg } = lineOf(new ExtractorUnavailable('no secret', { setting: 'READER_SECRET' }));
  assert.equal([level, setting], [ERROR, 'READER_SECRET']);
  assert.match(`${msg}`, /the setting with the secret that signs is not set/);
});

test('what nobody expected has its stack', () => {
  const { level, err } = lineOf(new Error('the index is late'));
  assert.is(level, WARN);
  assert.match(JSON.stringify(err), /the index is late.*workerReports\.test/);
});
