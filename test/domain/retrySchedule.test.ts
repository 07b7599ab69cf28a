import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { INVITATION_HOURS } from '../../domain/invitation.ts';
import {
  delaysInWords,
  EXTENDED,
  EXTENDED_DELAYS_MS,
  EXTRACTOR_DELAYS_MS,
  MAIL_DELAYS_MS,
  nextAttemptAt,
  RETRY_DELAYS_MS,
  SYNC_DELAYS_MS,
} from '../../domain/retrySchedule.ts';
import { suite } from '../harness.ts';

const test = suite('the retry schedule');
const noon = '2026-11-21T12:00:00.000Z';

test('the first attempt is due at once, each other a delay after the failure before it, and after the last there is none', () => {
  const due = [0, 1, 2, 3, 4, 40].map((failures) => nextAttemptAt(failures, noon, RETRY_DELAYS_MS));
  const times = ['12:00:00', '12:00:30', '12:05:00', '12:30:00'];
  assert.equal(due, [...times.map((time) => `2026-11-21T${time}.000Z`), null, null]);
});

/** As tables and rules name it: `30 s`, `5 min`. */
const durationInShort = (ms: number): string =>
  ms % 60_000 ? `${ms / 1_000} s` : ms % 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;

test('the pages name the delays that run', () => {
  const words = `after ${delaysInWords(RETRY_DELAYS_MS)}`;
  const contract = readFileSync('docs/contract.md', 'utf8');
  assert.match(contract, `**webhooks-16** Retries follow ${words}.`);
  assert.match(readFileSync('docs/webhooks.md', 'utf8'), `${words} (\`WEBHOOK_RETRY_DELAYS\`)`);
  const short = RETRY_DELAYS_MS.map(durationInShort);
  const list = new Intl.ListFormat('en-GB').format(short);
  const tail = (delays: readonly number[]): readonly number[] =>
    delays.slice(delays.indexOf(1_800_000) + 1).map((delay) => delay / 3_600_000);
  // What the words of the pages below mean.
  assert.equal(tail(SYNC_DELAYS_MS), Array(24).fill(1));
  assert.equal(EXTRACTOR_DELAYS_MS, [1_000, 5_000, ...SYNC_DELAYS_MS]);
  assert.equal(tail(MAIL_DELAYS_MS), Array(INVITATION_HOURS).fill(1));
  const whole = EXTENDED_DELAYS_MS.map(durationInShort).join(', ');
  const extended = `${EXTENDED.attempts - 1} retries within ${EXTENDED.hours} hours`;
  const rest = [
    ['contract', `**mails-3** A mail that fails is tried again after ${list},`],
    ['contract', `**sync-2** A sync is retried after ${list}, then hourly for 24 h.`],
    ['contract', `${extended}, after ${whole}.`],
    ['people', `tried again after ${list}, then hourly`],
    ['webhooks', `${extended} (${whole})`],
    ['workflows', `retried after 1 s, 5 s, ${list}, then hourly for a day`],
    ['workflows', `retried after ${list}, then hourly for a day`],
  ];
  for (const [page, told = ''] of rest) assert.match(readFileSync(`docs/${page}.md`, 'utf8'), told);
  assert.is(delaysInWords([1_000, 3_600_000, 90_000]), '1 second, 1 hour and 90 seconds');
});

test('by the extended schedule there are twelve, the last 71 h 35 min 30 s after the first [endpoints-12]', () => {
  const attempts: string[] = [];
  for (
    let due: string | null = noon;
    due !== null;
    due = nextAttemptAt(attempts.length, due, EXTENDED_DELAYS_MS)
  )
    attempts.push(due);
  assert.is(attempts.length, 12);
  assert.equal(attempts.slice(0, 5), [
    ...[noon, '2026-11-21T12:00:30.000Z', '2026-11-21T12:05:30.000Z', '2026-11-21T12:35:30.000Z'],
    '2026-11-21T14:35:30.000Z',
  ]);
  assert.is(attempts.at(-1), '2026-11-24T11:35:30.000Z');
});

test('the delays can be set', () => {
  assert.is(nextAttemptAt(1, noon, []), null);
  assert.is(nextAttemptAt(1, noon, [0]), noon);
  assert.is(nextAttemptAt(2, noon, [0, 1_500]), '2026-11-21T12:00:01.500Z');
});
