import * as assert from 'uvu/assert';
import {
  problemsByStatus,
  problemsOf,
  refusesDecision,
} from '../../../http/engine/problems/endpointProblems.ts';
import { problemTypes } from '../../../http/engine/problems/problemTypes.ts';
import type { Endpoint } from '../../../http/engine/route.ts';
import { closed, Type } from '../../../kernel/schema.ts';
import { sessionId } from '../../../schemas/parameters.ts';
import { suite } from '../../harness.ts';

const test = suite('the problems of an endpoint');

const endpoint = (members: Partial<Endpoint>): Endpoint => ({
  name: 'x',
  summary: '',
  method: 'GET',
  path: '/api/v1/x',
  access: 'none',
  answers: { 200: Type.Unknown() },
  ...members,
});
const added = (members: Partial<Endpoint>): readonly string[] => {
  const without = new Set<string>(problemsOf(endpoint({})));
  return problemsOf(endpoint(members)).filter((code) => !without.has(code));
};

const follows: readonly (readonly [string, Partial<Endpoint>, readonly string[]])[] = [
  [
    'what only keys of a company may do',
    { access: 'events.read' },
    ['unauthorized', 'key-revoked', 'key-expired', 'rate-limited', 'role-required', 'company-required'],
  ],
  [
    'what any person may do',
    { access: 'own.sessions' },
    ['unauthorized', 'rate-limited', 'company-required', 'origin-not-allowed'],
  ],
  [
    'what some people may change',
    { access: 'workflows.draft', method: 'DELETE' },
    [
      ...['role-required', 'unauthorized', 'rate-limited', 'company-required', 'origin-not-allowed'],
      'csrf-token-required',
    ],
  ],
  ['a body', { body: closed({}) }, ['content-too-large', 'unsupported-media-type', 'validation-failed']],
  ['an identifier in the path', { parameters: { sessionId } }, ['not-found']],
  ['a POST under /api/v1', { method: 'POST' }, ['idempotency-key-in-use', 'idempotency-key-reused']],
  ['If-Match', { conditional: true }, ['precondition-failed']],
  ['refusals of its own', { refusals: ['session-ended', 'internal-error'] }, ['session-ended']],
];
for (const [what, members, codes] of follows)
  test(`${what} adds ${codes.join(', ')}`, () => assert.equal(added(members), codes));

test('what stores nothing is never unavailable', () => {
  assert.ok(problemsOf(endpoint({})).includes('unavailable'));
  assert.not.ok(problemsOf(endpoint({ path: '/docs' })).includes('unavailable'));
});

test('by status each code stands once, at its own', () => {
  const members = endpoint({ access: 'submissions.decide', body: closed({}), parameters: { sessionId } });
  const found = [...problemsByStatus(members)];
  assert.equal(
    found.map(([status]) => status),
    [...found.map(([status]) => status)].sort((a, b) => a - b),
  );
  for (const [status, codes] of found) for (const code of codes) assert.is(problemTypes[code].status, status);
  assert.equal(found.flatMap(([, codes]) => codes).sort(), [...problemsOf(members)].sort());
});

test('only what refuses a decision on a submission says its status', () => {
  const codes = Object.keys(problemTypes) as readonly (keyof typeof problemTypes)[];
  assert.equal(codes.filter(refusesDecision).sort(), [
    ...['fraud-confirmed', 'fraud-match-resolved', 'fraud-unresolved', 'legal-hold'],
    ...[
      'second-person-required',
      'session-ended',
      'session-submitted',
      'submission-not-cancellable',
      'submission-not-enterable',
      'submission-not-in-review',
      'submission-not-reprocessable',
    ],
    'submission-redacted',
  ]);
});
