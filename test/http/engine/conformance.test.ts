import * as assert from 'uvu/assert';
import { Problem, problemBody } from '../../../http/engine/problems/problem.ts';
import type { ProblemCode } from '../../../http/engine/problems/problemTypes.ts';
import type { Endpoint } from '../../../http/engine/route.ts';
import { documentOf } from '../../../http/openapi/document.ts';
import { exampleOf } from '../../../schemas/examples.ts';
import { sessionId } from '../../../schemas/parameters.ts';
import { Job } from '../../../schemas/sessions.ts';
import { SessionReviewRequiredEvent } from '../../../schemas/webhookEvents.ts';
import { suite } from '../../harness.ts';
import { conformanceTo } from '../../support/conformance.ts';

const test = suite('holding answers to the document [pages-2]');

const endpoint: Endpoint = {
  name: 'getJob',
  summary: '',
  method: 'GET',
  path: '/api/v1/jobs/{sessionId}',
  access: 'sessions.use',
  parameters: { sessionId },
  answers: { 200: Job },
  headers: ['Retry-After'],
};
const { answer, webhook } = conformanceTo(documentOf([endpoint], { version: '1', publicUrl: null }));
const job = exampleOf(Job) as object;
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r' };
const PROBLEM_TYPE = { 'content-type': 'application/problem+json', 'x-request-id': 'r' };
const refusal = (code: ProblemCode): string => problemBody(new Problem(code), 'r', '/x');

type Case = readonly [what: string, given: Partial<Given>, fault: RegExp | null];
type Given = Readonly<{
  method: string;
  path: string;
  status: number;
  headers: Record<string, string>;
  text: string;
}>;

const cases: readonly Case[] = [
  ['an answer as documented', {}, null],
  ['one with a header that may be there', { headers: { ...JSON_TYPE, 'retry-after': '1' } }, null],
  ['a HEAD without a body', { method: 'HEAD', text: '' }, null],
  ['a documented problem', { status: 404, headers: PROBLEM_TYPE, text: refusal('not-found') }, null],
  ['an undocumented status', { status: 204, text: '' }, /status 204/],
  ['a missing member', { text: JSON.stringify({ ...job, state: undefined }) }, /state/],
  ['a wrong member', { text: JSON.stringify({ ...job, state: 'tired' }) }, /\/state/],
  ['a member that is not named', { text: JSON.stringify({ ...job, more: 1 }) }, /more/],
  [
    'another media type [problems-1]',
    { headers: { ...JSON_TYPE, 'content-type': 'text/html' } },
    /text\/html/,
  ],
  ['no request id', { headers: { 'content-type': 'application/json' } }, /X-Request-Id/],
  ['an undocumented header', { headers: { ...JSON_TYPE, location: '/x' } }, /Location/],
  [
    'a problem without its header',
    { status: 401, headers: PROBLEM_TYPE, text: refusal('unauthorized') },
    /WWW-Auth/,
  ],
  [
    'a problem that is not its own',
    { status: 404, headers: PROBLEM_TYPE, text: refusal('invitation-invalid') },
    /code/,
  ],
  [
    'an unknown path',
    { path: '/nowhere', status: 404, headers: PROBLEM_TYPE, text: refusal('not-found') },
    null,
  ],
  ['an unknown path that answers', { path: '/nowhere' }, /no such operation/],
  [
    'another method',
    {
      method: 'PUT',
      status: 405,
      headers: { ...PROBLEM_TYPE, allow: 'GET' },
      text: refusal('method-not-allowed'),
    },
    null,
  ],
  ['another method without Allow', { method: 'PUT', status: 405, headers: PROBLEM_TYPE }, /Allow/],
];

for (const [what, given, fault] of cases)
  test(`${what} is ${fault ? 'a fault' : 'fine'}`, () => {
    const { method, path, status, headers, text }: Given = {
      method: 'GET',
      path: '/api/v1/jobs/ses_1?x=1',
      status: 200,
      headers: JSON_TYPE,
      text: JSON.stringify(job),
      ...given,
    };
    const faults = answer({ method, path }, { status, headers: new Headers(headers), text }).join();
    if (fault) assert.match(faults, fault);
    else assert.is(faults, '');
  });

const delivery = (members: object, headers: object = {}) =>
  webhook({
    headers: {
      'x-webhook-event': 'session.review_required',
      'x-webhook-id': '018fd5c2-71f4-7a3b-9d0e-5b1c2d3e4f50',
      'x-webhook-timestamp': '1',
      'x-webhook-signature': `sha256=${'0'.repeat(64)}`,
      'user-agent': 'service-webhook/1.0',
      'webhook-id': '018fd5c2-71f4-7a3b-9d0e-5b1c2d3e4f50',
      'webhook-timestamp': '1',
      'webhook-signature': `v1,${'A'.repeat(43)}=`,
      ...headers,
    },
    body: Buffer.from(JSON.stringify({ ...(exampleOf(SessionReviewRequiredEvent) as object), ...members })),
  }).join();

test('a delivery as documented is fine; without its signature, of another type or with a wrong body it is a fault', () => {
  assert.is(delivery({}), '');
  assert.match(delivery({}, { 'x-webhook-signature': undefined }), /string/);
  assert.match(delivery({}, { 'x-webhook-event': 'session.began' }), /session\.began/);
  assert.match(delivery({ submissionStatus: 'approved' }), /submissionStatus/);
});
