import * as assert from 'uvu/assert';
import { evolve, type Submission } from '../../../domain/submission/state.ts';
import { createEgress } from '../../../outbound/egress.ts';
import { statusText } from '../../../outbound/failure.ts';
import { type Answer, type Asker, createSender, type Question } from '../../../outbound/send.ts';
import {
  createAnswerMemory,
  type ExtractPorts,
  extractOverHttp,
} from '../../../processing/extractor/overHttp.ts';
import { ExtractorUnavailable } from '../../../processing/extractor/unavailable.ts';
import type { Outcome } from '../../../processing/types.ts';
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
  const requests: Question[] = [];
  const waited: string[] = [];
  const ports: ExtractPorts = {
    asker: {
      ask: async (question) => {
        requests.push(question);
        return { ...whole, ...answer };
      },
    },
    processor: { judge: async () => judged },
    secretOf: () => 'a secret',
    withMemory: createAnswerMemory(),
    waiting: async ({ routing }, wait) => {
      const answer = await wait();
      waited.push(routing.submissionId);
      return answer;
    },
    clock,
    ...over,
  };
  const extract = (url = endpoint.url, signal = unaborted) =>
    extractOverHttp(ports)(submission, version, { ...endpoint, url }, [], signal);
  return { extract, requests, waited };
};
const unavailable = async (answer: Partial<Answer>): Promise<ExtractorUnavailable> => {
  const error = await failure(extractor(answer).extract());
  if (!(error instanceof ExtractorUnavailable)) throw error;
  return error;
};

test('an answer is judged; its limits are a minute and a mebibyte', async () => {
  const { extract, requests } = extractor({});
  assert.is(await extract(), judged);
  assert.equal([requests[0]?.timeoutMs, requests[0]?.answerLimit], [60_000, 1_048_576]);
});

test('after no answer, a broken one and transient ones the extractor is unavailable', async () => {
  for (const statusCode of [null, 200, 301, 400, 408, 425, 429, 500, 503, 599])
    assert.is(
      (await unavailable({ statusCode, error: 'was not good' })).message,
      'The extractor gave no result: was not good.',
    );
});

test('other refusals, redirects and too long answers are final [extractors-6]', async () => {
  for (const statusCode of [301, 400, 401, 404, 413, 422]) {
    const error = statusText(statusCode);
    assert.equal(await extractor({ statusCode, error }).extract(), {
      kind: 'failed',
      reason: `The extractor gave no result: it ${error}.`,
    });
  }
  assert.is((await extractor({ isWhole: false }).extract()).kind, 'failed');
});

test('an extractor delays the next request by ten minutes at most', async () => {
  const wait = async (retryAfter: string | null) =>
    (await unavailable({ statusCode: 503, error: 'answered 503', retryAfter })).retryAfterMs;
  assert.is(await wait(null), 0);
  assert.is(await wait('90'), 90_000);
  assert.is(await wait('86400'), 600_000);
  assert.is(await wait(new Date(clock.now().getTime() + 30_000).toUTCString()), 30_000);
  for (const nonsense of ['soon', '-1', 'Sat, 01 Jan 2000 00:00:00 GMT']) assert.is(await wait(nonsense), 0);
});

test('without the secret nothing is sent, and only operators learn the setting', async () => {
  const { extract, requests } = extractor({}, { secretOf: () => null });
  const error = await failure(extract());
  assert.instance(error, ExtractorUnavailable);
  assert.equal([(error as ExtractorUnavailable).setting, requests.length], ['EXTRACTOR_SECRET', 0]);
  assert.not.match(error.message, /EXTRACTOR_SECRET/);
});

test('an attempt whose answer is judged does not wait', async () => {
  const during: number[] = [];
  const judge = async () => {
    during.push(waited.length);
    return judged;
  };
  const { extract, waited } = extractor({}, { processor: { judge } });
  await extract();
  assert.equal([during, waited.length], [[1], 1]);
});

test('the memory of an answer is reserved until it is judged, then released', async () => {
  const withMemory = createAnswerMemory(10);
  const reserved: boolean[] = [];
  const asker: Asker = {
    ask: async ({ take }) => {
      reserved.push(take(8));
      return whole;
    },
  };
  const another = async () => {
    await withMemory(async (take) => reserved.push(take(8), take(2), take(1)));
    return judged;
  };
  await extractor({}, { asker, withMemory, processor: { judge: another } }).extract();
  assert.equal(reserved, [true, false, true, false]);
  await extractor({}, { asker, withMemory }).extract();
  assert.is(reserved.at(-1), true);
});

/** The extractor behind the real egress guard. */
const through = async (
  egressRule: 'public' | 'any',
  path: string,
  signal = unaborted,
  over: Partial<ExtractPorts> = {},
) => {
  const { resolve, ca } = receiver;
  const egress = createEgress({ egress: egressRule, resolve, ca });
  try {
    return await extractor({}, { asker: createSender(egress), ...over }).extract(
      `${receiver.url}${path}`,
      signal,
    );
  } finally {
    await egress.close();
  }
};

test('an internal address is not connected to, and not named [extractors-5]', async () => {
  const { name, message } = await failure(through('public', '/private'));
  assert.is(name, 'ExtractorUnavailable');
  assert.is(message, 'The extractor gave no result: the host has an address that is not public.');
  assert.is(receiver.connections(), 0);
});

test('an endless answer is cut off at its limit', async () => {
  const outcome = await through('any', '/endless');
  assert.equal(outcome, { kind: 'failed', reason: 'The extractor’s answer has more than 1048576 bytes.' });
});

test('without memory for its answer an extractor is unavailable', async () => {
  const { message, name } = await failure(
    through('any', '/endless', unaborted, { withMemory: createAnswerMemory(65_536) }),
  );
  assert.equal(
    [name, message],
    ['ExtractorUnavailable', 'The extractor gave no result: too many large answers came at once.'],
  );
});

test('it ends at once when the service stops or the lease is lost', async () => {
  const stop = new AbortController();
  const ended = failure(through('any', '/hanging', stop.signal));
  await receiver.waitFor(({ path }) => path === '/hanging');
  stop.abort(new Error('the lease was lost'));
  assert.is((await ended).message, 'the lease was lost');
});
