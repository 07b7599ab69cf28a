import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { problemOf } from '../../../http/engine/problems/problem.ts';
import { domainProblems, problemTypes } from '../../../http/engine/problems/problemTypes.ts';
import { DomainError } from '../../../kernel/decider.ts';
import { StoreMisconfigured, StoreUnavailable, WrongExpectedRevision } from '../../../kernel/errors.ts';
import type { Position } from '../../../kernel/event.ts';
import { compile } from '../../../schemas/ajv.ts';
import { Problem as ProblemSchema } from '../../../schemas/problems.ts';
import { eventually, suite } from '../../harness.ts';
import { json, keys, startFixture } from './fixture.ts';

const test = suite('problems');
type Fixture = Awaited<ReturnType<typeof startFixture>>;
let fixture: Fixture;
test.before(async () => {
  fixture = await startFixture();
});
test.after(() => fixture.close());

const path = '/api/v1/things/thing-1/versions/1';
const throwing = async (error: unknown) => {
  fixture.state.answer = () => {
    throw error;
  };
  const answer = await fixture.call(path, json('{"name":"x"}'));
  fixture.state.answer = () => undefined;
  return answer;
};

const sources = (): string =>
  ['domain', 'commands', 'processing']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(`${folder}/${file}`, 'utf8')),
    )
    .join('\n');

/** Rules as the source names them: thrown by name, or handed to \`move\`. */
const thrownNames = (source: string): readonly string[] => [
  ...new Set(
    [/new DomainError\(\s*'(\w+)'/g, /\bmove\([^;]*?'([A-Z]\w+)'/g].flatMap((pattern) =>
      [...source.matchAll(pattern)].map(([, name]) => name ?? ''),
    ),
  ),
];

/** Those that no request can cause: an internal error. */
const INTERNAL = [
  ...['SubmissionNotProcessing', 'SubmissionNotProcessable'],
  ...['SubmissionNotApproved', 'SubmissionHasNoSync', 'ProcessingAttemptSuperseded'],
  ...['SessionExists', 'CompanyNotFound', 'CompanyExists', 'ApiKeyNotFound'],
  ...['InvitationExists', 'InvitationNotFound', 'UserNotFound'],
  ...['RoleNeedsCompany', 'RoleTakesNoCompany', 'KeyNeedsCompany', 'KeyOutsideCompany', 'BatchNotComplete'],
  ...['RoleMakesNoKeys', 'IdentityBound'],
];

test('every rule of the domain has its problem, and no problem is for a rule that is gone', () => {
  const named = thrownNames(sources());
  assert.ok(named.includes('SubmissionNotInReview') && named.includes('SessionEnded'));
  assert.equal(
    named.filter((name) => domainProblems.has(name) === INTERNAL.includes(name)),
    [],
  );
  assert.equal(
    [...domainProblems.keys(), ...INTERNAL].filter((name) => !named.includes(name)),
    [],
  );
});

test('the names are found however they are thrown', () => {
  assert.equal(thrownNames("throw new DomainError(\n 'A', 'x');\nmove(\nstate, 'b', 'CdE', [);"), [
    'A',
    'CdE',
  ]);
});

test('every problem has the members of the contract [problems-1, problems-8]', async () => {
  const faults = compile(ProblemSchema);
  for (const answer of [
    await fixture.call('/nowhere'),
    await fixture.call('/api/v1/open', { key: null }),
    await fixture.call('/api/v1/open?limit=x'),
    await throwing(
      new DomainError('SubmissionNotInReview', 'no', { currentStatus: 'failed', allowedFrom: ['review'] }),
    ),
    await throwing(new Error('secret')),
  ]) {
    assert.equal(faults(answer.body), []);
    assert.ok(Object.keys(problemTypes).includes(answer.body.code));
  }
});

test('a rule that has no problem, an error, and things that are no errors are a 500 that tells nothing [problems-7]', async () => {
  const thrown = [
    new DomainError('NeverHeardOf', 'secret'),
    new Error('secret'),
    'secret',
    null,
    undefined,
    { status: 404, expose: true, message: 'secret' },
  ];
  for (const error of thrown) {
    fixture.failures.length = 0;
    const answer = await throwing(error);
    assert.equal([answer.status, answer.body.code], [500, 'internal-error']);
    assert.not.ok(answer.text.includes('secret'));
    assert.equal(fixture.failures, [error]);
  }
});

test('an answer that cannot be written is a 500 too', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  for (const body of [circular, { big: 1n }]) {
    fixture.state.answer = () => body;
    assert.is((await fixture.call(path, json('{"name":"x"}'))).status, 500);
  }
  fixture.state.answer = () => undefined;
  fixture.state.headers = { 'X-Bad': 'a\r\nb' };
  const answer = await fixture.call(path, json('{"name":"x"}'));
  delete fixture.state.headers;
  assert.equal([answer.status, answer.headers['content-type']], [500, 'application/problem+json']);
});

test('an unavailable store is a 503 with Retry-After, and is reported [problems-6]', async () => {
  fixture.failures.length = 0;
  // One that refuses the service now is away, too: somebody will mend it, and nothing is lost meanwhile.
  for (const Failure of [StoreUnavailable, StoreMisconfigured]) {
    const answer = await throwing(new Failure('disk full at /secret'));
    assert.equal([answer.status, answer.body.retryable, answer.headers['retry-after']], [503, true, '1']);
    assert.not.ok(answer.text.includes('secret'));
  }
  assert.is(fixture.failures.length, 2);
});

test('a lost race is a 409 that may be tried again; a rule may name faults of the body', () => {
  const lost = problemOf(new WrongExpectedRevision('submission-x', 1, 2));
  assert.equal([lost.status, problemTypes[lost.code].retryable], [409, true]);
  const errors = [{ pointer: '/files/0', detail: 'is missing' }];
  const refused = problemOf(new DomainError('UploadsRefused', 'They break the bounds.', { errors }));
  assert.equal([refused.status, refused.members.errors], [422, errors]);
});

test('a broken rule that passes is a 429 with Retry-After [review-7]', () => {
  const busy = problemOf(new DomainError('PatternsBusy', 'Too many wait.'));
  assert.equal([busy.status, busy.message, busy.headers], [429, 'Too many wait.', { 'Retry-After': '1' }]);
});

test('X-Request-Id is echoed, made when absent, and refused when long, not printable or a key [requests-5]', async () => {
  const ask = async (id?: string) =>
    fixture.call('/api/v1/open', { headers: id === undefined ? {} : { 'x-request-id': id } });
  assert.is((await ask('r'.repeat(128))).headers['x-request-id'], 'r'.repeat(128));
  assert.match((await ask()).headers['x-request-id'] as string, /^made-\d+$/);
  for (const bad of ['r'.repeat(129), 'a\tb', 'ü', `aok_${'0'.repeat(64)}`]) {
    const answer = await ask(bad);
    assert.is(answer.status, 400);
    assert.match(answer.headers['x-request-id'] as string, /^made-\d+$/);
    assert.is(answer.body.errors[0].pointer, '/headers/x-request-id');
  }
  const unauthorized = await fixture.call('/api/v1/open', {
    key: keys.unknown,
    headers: { 'x-request-id': 'r'.repeat(129) },
  });
  assert.is(unauthorized.status, 401);
});

test('every answer carries the security headers, and nothing that names the software', async () => {
  for (const answer of [
    await fixture.call('/api/v1/open'),
    await fixture.call('/nowhere'),
    await throwing(new Error('x')),
  ]) {
    assert.is(answer.headers['x-content-type-options'], 'nosniff');
    assert.is(answer.headers['cache-control'], 'no-store');
    assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/);
    assert.is(answer.headers['x-powered-by'], undefined);
  }
});

test('an answer with a position waits until the read models show it, two seconds at most [reads-1]', async () => {
  const waiting: (() => void)[] = [];
  const waitingFixture = await startFixture({
    awaitPosition: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
      }),
  });
  waitingFixture.state.position = 'p1' as Position;
  let answered = false;
  const first = waitingFixture.call(path, json('{"name":"x"}')).then((answer) => {
    answered = true;
    return answer;
  });
  const show = await eventually('the hold', () => waiting[0]);
  assert.not.ok(answered);
  show();
  assert.is((await first).status, 200);
  const started = performance.now();
  const second = await waitingFixture.call(path, json('{"name":"x"}'));
  assert.is(second.status, 200);
  const took = performance.now() - started;
  assert.ok(took > 1_900, `${took}`);
  await waitingFixture.close();
});

test('a failed wait for the read models is reported, and the answer is given', async () => {
  const failing = await startFixture({ awaitPosition: () => Promise.reject(new Error('gone')) });
  failing.state.position = 'p1' as Position;
  assert.is((await failing.call(path, json('{"name":"x"}'))).status, 200);
  assert.is(failing.failures.length, 1);
  await failing.close();
});

test('the observer sees each request once', async () => {
  fixture.lines.length = 0;
  await fixture.call('/api/v1/open?limit=1', { headers: { 'x-request-id': 'seen' } });
  const { durationMs, ...line } = fixture.lines[0] ?? { durationMs: -1 };
  assert.ok(durationMs !== null && durationMs >= 0);
  assert.equal(line, {
    requestId: 'seen',
    method: 'GET',
    path: '/api/v1/open',
    endpoint: 'getOpen',
    keyId: 'key_company',
    userId: null,
    status: 200,
  });
  assert.is(fixture.lines.length, 1);
});

test('the problems that the same request may overcome are these', () => {
  const retryable = Object.entries(problemTypes).filter((entry) => entry[1].retryable);
  assert.equal(
    retryable.map(([code]) => code),
    [
      'request-timeout',
      'idempotency-key-in-use',
      'concurrent-change',
      'rate-limited',
      'internal-error',
      'unavailable',
      'identity-provider-unavailable',
      'not-ready',
    ],
  );
});
