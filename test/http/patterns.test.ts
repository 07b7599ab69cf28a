import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as assert from 'uvu/assert';
import { long, suite } from '../harness.ts';
import type { Client } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('patterns that backtrack');
let service: TestService;
test.before(async () => {
  service = await sharedService();
});

const NAMES = Array.from({ length: 10 }, (_, index) => `field${index}`);
const definition = {
  ...receiptDefinition,
  slug: 'backtracking',
  outputSchema: NAMES.map((name) => ({
    name,
    required: false,
    type: 'string',
    validation: { pattern: '^(\\w+\\s?)*$' },
  })),
  processing: { review: 'always' },
};
const allOf = (value: string) => Object.fromEntries(NAMES.map((name) => [name, value]));
const endless = (seed: number): string => `${'a'.repeat(60)}${seed}!`;

const inReview = async (api: Client): Promise<string> => {
  const file = { content: JSON.stringify(allOf('fine')), mimeType: 'application/json' };
  const job = await api.process([file], {}, 'backtracking');
  assert.is(job.submissionStatus, 'review', JSON.stringify(job));
  return job.submissionId;
};
const approve = (api: Client, id: string, value: string) =>
  api.post(`/api/v1/submissions/${id}/approve`, { corrections: allOf(value) });

test('corrections that can hardly be checked are refused, while others are served [review-6]', async () => {
  const [attacker, other] = await Promise.all([service.company(definition), service.company(definition)]);
  const [attacked, reviewed] = await Promise.all([inReview(attacker.api), inReview(other.api)]);
  const delay = monitorEventLoopDelay();
  delay.enable();
  let answered = 0;
  const attacks = [1, 2, 3, 4].map(async (seed) => {
    const answer = await approve(attacker.api, attacked, endless(seed));
    answered += 1;
    return answer;
  });
  const approved = await approve(other.api, reviewed, 'all is well');
  assert.equal([approved.status, answered < attacks.length], [200, true]);
  const refused = await Promise.all(attacks);
  delay.disable();
  // In the short run the order of the answers says it.
  assert.ok(!long || delay.max < 2_500 * 1e6, `the event loop stood still for ${delay.max / 1e6} ms`);
  for (const { status, body } of refused) {
    assert.is(status, 422);
    const [first, ...others] = body.errors as { pointer: string; detail: string }[];
    assert.is(first?.pointer, '/corrections/field0');
    assert.match(first?.detail ?? '', /^took too long to check against its pattern/);
    assert.is(others.length, NAMES.length - 1);
  }
  const again = await approve(attacker.api, attacked, endless(4));
  for (const { detail } of again.body.errors) assert.match(detail, /^took too long/);
  assert.is((await approve(attacker.api, attacked, 'fine')).status, 200);
});
