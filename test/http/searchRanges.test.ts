import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { sharedService } from '../support/service.ts';

const test = suite('search by ranges of dates and amounts');
let api: Client;
let other: Client;

const at = (q: string, rest = '') => `/api/v1/submissions?q=${encodeURIComponent(q)}${rest}`;
const found = async (q: string, rest = '', by = api): Promise<string> => {
  const { status, body, text } = await by.get(at(q, rest));
  assert.is(status, 200, `${q}: ${text}`);
  return body.data.map(({ id }: { id: string }) => names.get(id) ?? id).join(' ');
};

/** What the submissions of these tests are called here. */
const names = new Map<string, string>();
const process = async (name: string, members: Readonly<Record<string, unknown>>, input = {}) => {
  const { submissionId } = await api.process([receiptText(members)], input);
  names.set(submissionId, name);
  return submissionId;
};

test.before(async () => {
  const service = await sharedService();
  api = (await service.company()).api;
  other = (await service.company()).api;
  await process('march', { company: 'Rangers', date: '2026-03-04', total: 100 });
  await process('april', { company: 'Rangers 2026-01-15', date: '2026-04-01', total: 1234.5 });
  await process('credit', { company: 'Credit', date: '2025-12-31', total: -20.25 });
});

test('a range of dates finds what has a date within it, both ends included [search-6]', async () => {
  const cases: Readonly<Record<string, string>> = {
    '2026-03-04..2026-03-31': 'march',
    '2026-03-01..2026-04-01': 'april march',
    '2026-03-05..2026-03-31': '',
    '04.03.2026..4/3/2026': 'march',
    '2026-03..2026-03': 'march',
    '03.2026..2026-04': 'april march',
    '2026-04-01..': 'april',
    '..2026-03-03': 'credit',
    '2026-01..2026-02': '',
  };
  for (const [q, expected] of Object.entries(cases)) assert.is(await found(q), expected, q);
});

test('a range of amounts finds what has an amount within it, both ends included [search-6]', async () => {
  const cases: Readonly<Record<string, string>> = {
    '100..200': 'march',
    '99.99..100': 'march',
    '100,01..1234,49': '',
    '1.234,50..2000': 'april',
    '100..': 'april march',
    '..0': 'credit',
    '-20.25..-20': 'credit',
    '-20.24..99': '',
    '1234.4999..1,234.50': 'april',
  };
  for (const [q, expected] of Object.entries(cases)) assert.is(await found(q), expected, q);
});

test('a range narrows with words, filters, pages, and within the company [search-6]', async () => {
  assert.is(await found('100.. rang'), 'april march');
  assert.is(await found('100.. ..2026-03-31'), 'march');
  assert.is(await found('100.. nobody'), '');
  assert.is(await found('100..', '&status=failed'), '');
  assert.is(await found('100..', '', other), '');
  const { data, pagination } = (await api.get(at('100..', '&limit=1'))).body;
  assert.equal([data.length, pagination.hasMore], [1, true]);
  assert.is(await found('100..', `&limit=1&cursor=${pagination.nextCursor}`), 'march');
  assert.is((await api.get(at('99..', `&limit=1&cursor=${pagination.nextCursor}`))).status, 400);
});

test('what was corrected takes the place of what was read; other texts have no part [search-6]', async () => {
  const id = await process(
    'corrected',
    { company: 'Misread', date: undefined, total: 7000 },
    { clientSubmissionId: '2024-05-06' },
  );
  const corrections = { date: '2024-07-08', total: 8000 };
  const path = `/api/v1/submissions/${id}/approve`;
  const { status, text } = await api.post(path, { corrections, comment: '9000.00 of 2024-05-06' });
  assert.is(status, 200, text);
  for (const q of ['2024-07..2024-07', '7999.5..8000']) assert.is(await found(q), 'corrected', q);
  for (const q of ['7000..7000', '9000..', '2024-05..2024-06']) assert.is(await found(q), '', q);
});

test('a range that is none is refused, and it is said which [search-7]', async () => {
  const cases: Readonly<Record<string, string>> = {
    'rang 200..100': '200 comes after 100',
    '2026-03-02..2026-03-01': '2026-03-02 comes after 2026-03-01',
    '2026-03..100': 'one end is a date, the other an amount',
    '2026-13-01..': '2026-13-01 is neither a date nor an amount',
    '1..2 100..many': 'many is neither a date nor an amount',
  };
  for (const [q, why] of Object.entries(cases)) {
    const { status, body } = await api.get(at(q));
    assert.is(status, 400, q);
    const range = q.split(' ').at(-1);
    assert.equal(body.errors, [
      { pointer: '/query/q', detail: `q is not valid: ${range} is no range: ${why}` },
    ]);
  }
  const { body } = await api.get(at('1.. 2.. 3.. 4.. 5.. 6.. 7.. 8.. 9..'));
  assert.match(body.errors[0].detail, 'up to 8 words');
});

test('no range finds a redacted submission, from the answer on [search-5]', async () => {
  const id = await process('gone', { company: 'Gone', date: undefined, total: 654_321 });
  const ranges = ['654321..654321', '654000..', '654320..654322'];
  for (const q of ranges) assert.is(await found(q), 'gone', q);
  const basis = { reason: 'article 17', legalBasis: 'erasure_request' };
  assert.is((await api.post(`/api/v1/submissions/${id}/redact`, basis)).status, 202);
  const isGone = async () => {
    for (const q of ranges) assert.is(await found(q), '', q);
  };
  await isGone();
  await eventually('the redaction', async () => {
    const { body } = await api.get(`/api/v1/submissions/${id}`);
    return body.redaction === 'done';
  });
  await isGone();
});
