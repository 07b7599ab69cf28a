import * as assert from 'uvu/assert';
import { Problem } from '../../../http/engine/problems/problem.ts';
import type { ProblemCode } from '../../../http/engine/problems/problemTypes.ts';
import { StoreUnavailable, WrongExpectedRevision } from '../../../kernel/errors.ts';
import { DESTRUCTION } from '../../controls/destruction.ts';
import { gate } from '../../controls/stores.ts';
import { eventually, suite } from '../../harness.ts';
import { json, keys, startFixture } from './fixture.ts';

const test = suite('Idempotency-Key');
type Fixture = Awaited<ReturnType<typeof startFixture>>;
type Reserved = Parameters<Fixture['state']['answer']>[0];
let fixture: Fixture;
test.before(async () => {
  fixture = await startFixture();
});
test.after(() => fixture.close());

let named = 0;
const newKey = (): string => `order-${++named}`;
const PATH = '/api/v1/things/thing-1/versions/1';

/** What the endpoint does from now on; gives the identifiers of each time it was at work. */
const works = (answer: (run: number) => unknown = (run) => ({ run })): readonly Reserved[] => {
  const runs: Reserved[] = [];
  fixture.state.answer = (reserved) => answer(runs.push(reserved));
  return runs;
};
const send = (idempotencyKey: string, name = 'x', path = PATH, key = keys.company) =>
  fixture.call(path, json(JSON.stringify({ name }), { key, headers: { 'idempotency-key': idempotencyKey } }));
const pass = (ms: number): void => {
  fixture.clock.at = new Date(fixture.clock.at.getTime() + ms);
};

test('the same body gets the first answer again, its status, headers and body, and nothing is done twice [idempotency-1]', async () => {
  const runs = works();
  fixture.state.headers = { Location: '/api/v1/here', ETag: '"7"' };
  const key = newKey();
  const first = await send(key);
  const second = await send(key);
  fixture.state.headers = {};
  assert.equal([first.status, first.body, runs.length], [200, { run: 1 }, 1]);
  assert.equal([second.status, second.text], [first.status, first.text]);
  assert.equal([second.headers.location, second.headers.etag], ['/api/v1/here', '"7"']);
  assert.equal(
    [first.headers['idempotency-replayed'], second.headers['idempotency-replayed']],
    [undefined, 'true'],
  );
});

test('once the submission that an answer is about is redacted, its repetition is a 409 and nothing is done [idempotency-14]', async () => {
  const runs = works(() => ({ submissionId: 'sub_7' }));
  await fixture.sealingKeys.obtain('sub_7');
  const key = newKey();
  const answers = [await send(key), await send(key)];
  assert.equal(
    answers.map(({ status, body }) => [status, body]),
    Array(2).fill([200, { submissionId: 'sub_7' }]),
  );
  await fixture.sealingKeys.destroy('sub_7', DESTRUCTION);
  const { status, body, headers } = await send(key);
  assert.equal(
    [status, body.type.replace(/.*\//, ''), headers['idempotency-replayed']],
    [409, 'submission-redacted', 'true'],
  );
  assert.is(runs.length, 1);
});

test('a key may stand in quotes: it is the same key [idempotency-5]', async () => {
  const runs = works();
  for (const [bare, quoted] of [
    ['a-b c', '"a-b c"'],
    ['back\\slash', '"back\\\\slash"'],
    ['x'.repeat(255), `"${'x'.repeat(255)}"`],
  ] as const) {
    const before = runs.length;
    await send(bare);
    assert.is((await send(quoted)).headers['idempotency-replayed'], 'true', quoted);
    assert.is(runs.length, before + 1);
  }
});

test('keys of other forms are a 400 [idempotency-5]', async () => {
  const runs = works();
  for (const key of [
    '',
    '""',
    'x'.repeat(256),
    `"${'x'.repeat(256)}"`,
    '"a',
    'a"b',
    '"a"b"',
    'caf\u00e9',
    'a\tb',
  ]) {
    const { status, body } = await send(key);
    assert.equal([status, body.errors?.[0]?.pointer], [400, '/headers/idempotency-key'], key);
  }
  const twice = await fixture.raw(
    `POST ${PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys.company}\r\nContent-Type: application/json\r\n` +
      'Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 12\r\nConnection: close\r\n\r\n{"name":"x"}',
  );
  assert.match(twice, /^HTTP\/1.1 400 /);
  assert.is(runs.length, 0);
});

test('another path and another API key have keys of their own [idempotency-6]', async () => {
  const other = `aok_${'e5'.repeat(32)}`;
  await fixture.addKey(other, 'key_other');
  const runs = works();
  const key = newKey();
  const answers = [
    await send(key),
    await send(key, 'x', '/api/v1/things/thing-1/versions/2'),
    await send(key, 'x', PATH, other),
  ];
  assert.equal(
    answers.map(({ body }) => body.run),
    [1, 2, 3],
  );
  assert.is(new Set(runs.map(({ ulid }) => ulid)).size, 3);
});

test('another body is a 422, while the first one is at work too [idempotency-2]', async () => {
  const open = gate();
  const runs = works(() => open.opened);
  const key = newKey();
  const first = send(key);
  await eventually('the first at work', () => runs.length === 1);
  const during = await send(key, 'y');
  open.open();
  await first;
  const after = await send(key, 'y');
  for (const { status, body } of [during, after]) {
    assert.equal([status, body.code, body.retryable], [422, 'idempotency-key-reused', false]);
    assert.is(body.errors[0].pointer, '/headers/idempotency-key');
  }
});

test('one that is still running is a 409 to be repeated [idempotency-3]', async () => {
  const open = gate();
  const runs = works(() => open.opened);
  const key = newKey();
  const first = send(key);
  await eventually('the first at work', () => runs.length === 1);
  pass(14_999);
  const second = await send(key);
  open.open();
  await first;
  assert.equal(
    [second.status, second.body.code, second.body.retryable],
    [409, 'idempotency-key-in-use', true],
  );
  assert.is(second.headers['retry-after'], '1');
  assert.is((await send(key)).headers['idempotency-replayed'], 'true');
});

test('running never outlives 15 s: it is taken over under the same identifiers, and the slow first one changes nothing [idempotency-4]', async () => {
  const gates = [gate(), gate()] as const;
  const runs = works(async (run) => {
    await gates[run - 1]?.opened;
    return { run };
  });
  const key = newKey();
  const slow = send(key);
  await eventually('the first at work', () => runs.length === 1);
  pass(15_000);
  const second = send(key);
  await eventually('the second at work', () => runs.length === 2);
  assert.equal(runs[0], runs[1]);
  gates[0].open();
  assert.is((await slow).body.run, 1);
  assert.is((await send(key)).status, 409, 'the second is still at work');
  gates[1].open();
  await second;
  assert.equal((await send(key)).body, { run: 2 });
});

test('after 24 hours a key is free again, for another body too [idempotency-7]', async () => {
  const runs = works();
  const key = newKey();
  await send(key);
  pass(24 * 3_600_000 - 1);
  assert.is((await send(key)).body.run, 1);
  pass(1);
  assert.is((await send(key, 'y')).body.run, 2);
  assert.is.not(runs[0]?.ulid, runs[1]?.ulid);
});

for (const code of ['not-found', 'precondition-failed', 'session-ended', 'validation-failed'] as const) {
  test(`a refusal is replayed with the number of the request that asks: ${code}`, async () => {
    const members = { errors: [], currentStatus: 'cancelled' };
    const runs = works(() => {
      throw new Problem(code, 'It is so.', { members });
    });
    const key = newKey();
    const first = await send(key);
    const second = await send(key);
    assert.is(runs.length, 1);
    assert.is(second.headers['idempotency-replayed'], 'true');
    assert.is(second.body.requestId, second.headers['x-request-id']);
    const { requestId: _first, ...told } = first.body;
    const { requestId: _second, ...again } = second.body;
    assert.equal(again, told);
    assert.equal([told.code, told.detail, told.currentStatus], [code, 'It is so.', 'cancelled']);
  });
}

test('what the chain itself refuses once the body is known is kept: 404, 422', async () => {
  const key = newKey();
  const path = '/api/v1/things/thing-2/versions/1';
  await send(key, 'x', path);
  assert.is((await send(key, 'x', path)).headers['idempotency-replayed'], 'true');
  const other = newKey();
  await send(other, 'refused');
  const { status, headers } = await send(other, 'refused');
  assert.equal([status, headers['idempotency-replayed']], [422, 'true']);
});

const passing: readonly (readonly [status: number, error: () => Error])[] = [
  [401, () => new Problem('unauthorized')],
  [403, () => new Problem('company-required')],
  [429, () => new Problem('rate-limited' satisfies ProblemCode)],
  [503, () => new StoreUnavailable('away')],
  [409, () => new WrongExpectedRevision('s', 1, 2)],
  [500, () => new Error('a defect')],
];
for (const [status, error] of passing) {
  test(`${status} is not kept: the next request is done at once, under the same identifiers [idempotency-8]`, async () => {
    const runs = works((run) => {
      if (run === 1) throw error();
      return { run };
    });
    const key = newKey();
    assert.is((await send(key)).status, status);
    assert.is((await send(key, 'y')).status, 422);
    const { body, headers } = await send(key);
    assert.equal([body.run, headers['idempotency-replayed']], [2, undefined]);
    assert.equal(runs[0], runs[1]);
    assert.is((await send(key)).headers['idempotency-replayed'], 'true');
  });
}

test('what is refused before the body is known leaves the key free: 400, 413, 415', async () => {
  const runs = works();
  const key = newKey();
  const headers = { 'idempotency-key': key };
  const statuses = [
    await fixture.call(`${PATH}?limit=many`, json('{"name":"a"}', { headers })),
    await fixture.call(PATH, json('{', { headers })),
    await fixture.call(PATH, json(`{"name":"${'x'.repeat(300 * 1024)}"}`, { headers })),
    await fixture.call(PATH, {
      method: 'POST',
      body: 'a',
      headers: { ...headers, 'content-type': 'text/plain' },
    }),
  ].map(({ status }) => status);
  assert.equal(statuses, [400, 400, 413, 415]);
  assert.is((await send(key)).body.run, 1);
  assert.is(runs.length, 1);
});

test('of fifty at once one is done, the others are 409 or its answer', async () => {
  const runs = works();
  const key = newKey();
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(key)));
  assert.is(runs.length, 1);
  assert.ok(answers.every(({ status, body }) => status === 409 || body.run === 1));
});

test('an answer that can’t be kept is given all the same', async () => {
  const replace = fixture.tables.replace;
  const key = newKey();
  works(() => {
    Object.assign(fixture.tables, { replace: () => Promise.reject(new StoreUnavailable('full')) });
    return { done: true };
  });
  const before = fixture.failures.length;
  const { status, body } = await send(key);
  Object.assign(fixture.tables, { replace });
  assert.equal([status, body], [200, { done: true }]);
  assert.is((fixture.failures[before] as Error | undefined)?.name, 'StoreUnavailable');
});

test('nothing that a client sent or was answered stands in the table', async () => {
  works(() => ({ secret: 'answered-text' }));
  await send('client-chosen-key', 'client-chosen-name');
  const text = JSON.stringify(await fixture.tables.list('idempotency'));
  for (const hidden of ['client-chosen', 'answered-text', 'thing-1', 'key_company'])
    assert.not.match(text, hidden);
});

test('without the header nothing is kept, and GET and what is not under /api/v1 don’t heed it', async () => {
  const before = (await fixture.tables.list('idempotency')).length;
  const runs = works();
  await fixture.call(PATH, json('{"name":"x"}'));
  await fixture.call(PATH, json('{"name":"x"}'));
  const headers = { 'idempotency-key': '' };
  assert.is((await fixture.call('/api/v1/open', { headers })).status, 200);
  assert.is((await fixture.call('/anything', json('{}', { key: null, headers }))).status, 200);
  assert.equal([runs.length, (await fixture.tables.list('idempotency')).length], [2, before]);
});
