import * as assert from 'uvu/assert';
import { envelope, readCursor, wholeList, writeCursor } from '../../../http/engine/request/paging.ts';
import { submissionFilters } from '../../../schemas/listFilters.ts';
import { suite } from '../../harness.ts';
import { json, startFixture } from './fixture.ts';

const test = suite('queries, cursors and paging');
type Fixture = Awaited<ReturnType<typeof startFixture>>;
let fixture: Fixture;
test.before(async () => {
  fixture = await startFixture();
});
test.after(() => fixture.close());

const limits: readonly (readonly [string, number | 'malformed'])[] = [
  ['', 20],
  ['?limit=1', 1],
  ['?limit=100', 100],
  ['?limit=101', 100],
  ['?limit=99999999999999999999999', 100],
  ['?limit=0', 1],
  ['?limit=-5', 1],
  ['?limit=007', 7],
  ['?limit=', 'malformed'],
  ['?limit=ten', 'malformed'],
  ['?limit=1.0', 'malformed'],
  ['?limit=1e1', 'malformed'],
  ['?limit=+5', 'malformed'],
  ['?limit=%205', 'malformed'],
  ['?limit=0x10', 'malformed'],
  ['?limit=1&limit=1', 'malformed'],
  ['?limit[]=1', 20],
  ['?Limit=x', 20],
  ['?unknown=1&unknown=2&__proto__=3', 20],
  ['?%zz=%zz', 20],
];

for (const [query, expected] of limits)
  test(`limit: ${query || 'absent'} gives ${expected} [paging-2, requests-2, requests-9]`, async () => {
    const answer = await fixture.call(`/api/v1/open${query}`);
    assert.is(answer.status, expected === 'malformed' ? 400 : 200);
    if (expected === 'malformed') assert.is(answer.body.errors[0].pointer, '/query/limit');
    else assert.is(answer.body.query.limit, expected);
  });

test('every bad parameter is named [problems-9, requests-2]', async () => {
  const answer = await fixture.call('/api/v1/things/thing-1/versions/x?limit=y', json('{}'));
  assert.equal(
    answer.body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/path/version', '/query/limit'],
  );
});

test('a version in a path is an integer from 1 [requests-4]', async () => {
  for (const bad of ['0', '-1', '1.0', '01', '1e1', 'x', '%31%20', '9'.repeat(30)])
    assert.is(
      (await fixture.call(`/api/v1/things/thing-1/versions/${bad}`, json('{"name":"x"}'))).status,
      400,
      bad,
    );
  for (const good of ['%31', '99999999999'])
    assert.is(
      (await fixture.call(`/api/v1/things/thing-1/versions/${good}`, json('{"name":"x"}'))).status,
      200,
      good,
    );
});

test('a time is read into the form that the service writes; null and absence differ for fraudStatus', () => {
  const { createdAfter, fraudStatus } = submissionFilters;
  assert.is(createdAfter.read('2026-11-21T10:00:00+01:00'), '2026-11-21T09:00:00.000Z');
  assert.is(createdAfter.read('2026-12-31T23:59:60Z'), undefined);
  assert.is(createdAfter.read('yesterday'), undefined);
  assert.equal(
    [fraudStatus.read('null'), fraudStatus.read(null), fraudStatus.read('worse')],
    ['null', null, undefined],
  );
});

const filters = { list: 'submissions', companyId: 'cmp_1', mode: 'live', status: 'review' };
const after = ['2026-11-21T10:00:00.000Z', 'sub_1'];

const refusedCursor = (text: string, given: Record<string, string> = filters, width = 2): boolean => {
  try {
    readCursor(text, given, width);
    return false;
  } catch (error) {
    assert.is((error as { status?: number }).status, 400);
    return true;
  }
};

test('a cursor goes on where its page ended, with the same filters only [paging-5]', () => {
  const cursor = writeCursor(after, filters);
  assert.match(cursor, /^[A-Za-z0-9_-]+$/);
  assert.equal(readCursor(cursor, filters, 2), after);
  assert.is(readCursor(null, filters, 2), null);
  for (const other of [{ status: 'failed' }, { mode: 'test' }, { companyId: 'cmp_2' }, { list: 'workflows' }])
    assert.ok(refusedCursor(cursor, { ...filters, ...other }));
  assert.ok(refusedCursor(cursor, filters, 3));
});

test('what is no cursor is refused, whatever it decodes to [requests-3]', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const seal = JSON.parse(Buffer.from(writeCursor([], filters), 'base64url').toString())[0];
  for (const text of [
    'x',
    '',
    encode('{}'),
    encode('null'),
    encode('[]'),
    encode('[1,2,3]'),
    encode(JSON.stringify([seal, 'a', { $gt: '' }])),
    encode(JSON.stringify([seal, 'a', ['b']])),
    encode('['.repeat(2000)),
  ])
    assert.ok(refusedCursor(text), text);
});

test('a page says whether there is more [paging-1]', () => {
  assert.equal(wholeList([1]), { data: [1], pagination: { hasMore: false, nextCursor: null } });
  const page = envelope([1], after, filters);
  assert.is(page.pagination.hasMore, true);
  assert.equal(readCursor(page.pagination.nextCursor, filters, 2), after);
});
