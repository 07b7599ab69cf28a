import * as assert from 'uvu/assert';
import { evolve, type Submission } from '../../../domain/submission/state.ts';
import type { Outcome } from '../../../processing/types.ts';
import { ExtractorAway } from '../../../reactors/extract/extractorAway.ts';
import { type ExtractPorts, extractOverHttp } from '../../../reactors/extract/overHttp.ts';
import { createEgress } from '../../../reactors/webhooks/egress.ts';
import { type Answer, createSender, type Question } from '../../../reactors/webhooks/send.ts';
import { type Receiver, startReceiver } from '../../../scripts/receiver.ts';
import { standingClock } from '../../controls/clock.ts';
import { failure } from '../../controls/stores.ts';
import { historyOf } from '../../controls/submission.ts';
import { version } from '../../controls/workflow.ts';
import { suite } from '../../harness.ts';

const test = suite('extraction over http');
let receiver: Receiver;
test.before(async () => {
  receiver = await startReceiver({ answer: ({ path }) => (path === '/endless' ? 'endless' : 'hang') });
});
test.after(() => receiver.close());

const submission = historyOf.processing.reduce<Submission | null>(evolve, null) as Submission;
const endpoint = { url: 'https://extractor.example.com/read', secretEnv: 'EXTRACTOR_SECRET' };
const judged: Outcome = { kind: 'failed', reason: 'judged' };
const whole: Answer = {
  ...{ statusCode: 200, durationMs: 1, error: null },
  ...{ retryAfter: null, body: Buffer.from('{}'), isWhole: true },
};
const { clock } = standingClock();
const unaborted = new AbortController().signal;

const extractor = (answer: Partial<Answer>, over: Partial<ExtractPorts> = {}) => {
  const asked: Question[] = [];
  const unset: string[] = [];
  const ports: ExtractPorts = {
    asker: {
      ask: async (question) => {
        asked.push(question);
        return { ...whole, ...answer };
      },
    },
    processor: { judge: async () => judged },
    secretOf: () => 'a secret',
    onUnset: (setting, id) => void unset.push(`${setting} ${id}`),
    clock,
    ...over,
  };
  const extract = (url = endpoint.url, signal = unaborted) =>
    extractOverHttp(ports)(submission, version, { ...endpoint, url }, [], signal);
  return { extract, asked, unset };
};
const away = async (answer: Partial<Answer>): Promise<ExtractorAway> => {
  const error = await failure(extractor(answer).extract());
  if (!(error instanceof ExtractorAway)) throw error;
  return error;
};

test('an answer is judged; it has a minute to come, and a mebibyte', async () => {
  const { extract, asked } = extractor({});
  assert.is(await extract(), judged);
  assert.equal([asked[0]?.timeoutMs, asked[0]?.answerLimit], [60_000, 1_048_576]);
});

test('no answer, a broken one, and those that say so may pass', async () => {
  for (const statusCode of [null, 200, 408, 425, 429, 500, 503, 599])
    assert.is(
      (await away({ statusCode, error: 'was not good' })).message,
      'The extractor gave no result: was not good.',
    );
});

test('other refusals and redirects end it, and so does an answer that is too long', async () => {
  for (const statusCode of [301, 400, 401, 404, 413, 422])
    assert.equal(await extractor({ statusCode, error: `answered ${statusCode}` }).extract(), {
      kind: 'failed',
      reason: `The extractor gave no result: it answered ${statusCode}.`,
    });
  assert.is((await extractor({ isWhole: false }).extract()).kind, 'failed');
});

test('an extractor says how long it wants to be left alone, for ten minutes at most', async () => {
  const wait = async (retryAfter: string | null) =>
    (await away({ statusCode: 503, error: 'answered 503', retryAfter })).retryAfterMs;
  assert.is(await wait(null), 0);
  assert.is(await wait('90'), 90_000);
  assert.is(await wait('86400'), 600_000);
  assert.is(await wait(new Date(clock.now().getTime() + 30_000).toUTCString()), 30_000);
  for (const nonsense of ['soon', '-1', 'Sat, 01 Jan 2000 00:00:00 GMT']) assert.is(await wait(nonsense), 0);
});

test('without the secret nothing is sent, and the setting is told to operators alone', async () => {
  const { extract, asked, unset } = extractor({}, { secretOf: () => null });
  const { message, name } = await failure(extract());
  assert.equal([name, asked.length, unset.length], ['ExtractorAway', 0, 1]);
  assert.not.match(message, /EXTRACTOR_SECRET/);
  assert.match(unset[0] ?? '', /^EXTRACTOR_SECRET sub_/);
});

/** The extractor behind the real egress guard. */
const through = async (egressRule: 'public' | 'any', path: string, signal = unaborted) => {
  const { resolve, ca } = receiver;
  const egress = createEgress({ egress: egressRule, resolve, ca });
  try {
    return await extractor({}, { asker: createSender(egress) }).extract(`${receiver.url}${path}`, signal);
  } finally {
    await egress.close();
  }
};

test('an address inside is not connected to, and not told', async () => {
  const { name, message } = await failure(through('public', '/private'));
  assert.is(name, 'ExtractorAway');
  assert.is(message, 'The extractor gave no result: the host has an address that is not public.');
  assert.is(receiver.connections(), 0);
});

test('an answer without an end is left at its limit', async () => {
  const outcome = await through('any', '/endless');
  assert.equal(outcome, { kind: 'failed', reason: 'The extractor’s answer has more than 1048576 bytes.' });
});

test('it ends at once when the service stops or the lease is lost', async () => {
  const stop = new AbortController();
  const ended = failure(through('any', '/hanging', stop.signal));
  await receiver.waitFor(({ path }) => path === '/hanging');
  stop.abort(new Error('the lease was lost'));
  assert.is((await ended).message, 'the lease was lost');
});
