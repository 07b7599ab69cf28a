import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { peopleOf } from '../support/people.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('figures of reviews over HTTP');
let service: TestService;

test.before(async () => {
  service = await sharedService();
});

const FIGURES = '/api/v1/review-figures';

test('a company sees what became of its submissions, and which fields were corrected [figures-1, figures-2, figures-3]', async () => {
  const company = await service.company({ ...receiptDefinition, processing: { review: 'always' } });
  const { api } = company;
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1)
    ids.push((await api.process([receiptText({ company: `ACME ${n}` })])).submissionId);
  const decide = (n: number, what: string, body: object = {}) =>
    api.post(`/api/v1/submissions/${ids[n]}/${what}`, body);
  assert.is((await decide(0, 'approve', { corrections: { company: 'ACME Ltd' } })).status, 200);
  assert.is((await decide(1, 'approve')).status, 200);
  assert.is((await decide(2, 'reject')).status, 200);
  const { body } = await api.get(`${FIGURES}?workflow=receipt`);
  assert.equal([body.counted, body.isCut, body.days.length], [4, false, 30]);
  const sum = (name: string): number =>
    body.days.reduce((all: number, day: Record<string, number>) => all + (day[name] ?? 0), 0);
  const names = [
    'received',
    'approvedAutomatically',
    'approved',
    'rejected',
    'cancelled',
    'failed',
    'waiting',
  ];
  assert.equal(names.map(sum), [4, 0, 2, 1, 0, 0, 1]);
  const { waitedMs } = body.days.findLast(({ approved }: { approved: number }) => approved > 0);
  assert.ok(waitedMs.p50 > 0 && waitedMs.p95 >= waitedMs.p50);
  assert.equal(body.fields, [{ workflow: 'receipt', field: 'company', corrected: 1, approved: 2 }]);
  assert.is((await api.get(`${FIGURES}?workflow=invoice`)).body.counted, 0);
  const other = await service.company();
  assert.is((await other.api.get(FIGURES)).body.counted, 0);
  const people = await peopleOf(service);
  const [lead, reviewer] = await Promise.all([
    people.user(company.id, 'org_admin'),
    people.user(company.id, 'reviewer'),
  ]);
  assert.is((await lead.api.get(FIGURES)).body.counted, 4);
  assert.is((await reviewer.api.get(FIGURES)).status, 403);
  await people.close();
});

test('a week says what people made of the values, until they are redacted [figures-5, figures-6, figures-7]', async () => {
  const { api } = await service.company({ ...receiptDefinition, processing: { review: 'always' } });
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1)
    ids.push((await api.process([receiptText({ company: `ACME ${n}` })])).submissionId);
  const approve = (n: number, body: object = {}) => api.post(`/api/v1/submissions/${ids[n]}/approve`, body);
  assert.is((await approve(0, { corrections: { company: 'Brown Ltd', date: null } })).status, 200);
  assert.is((await approve(1, { corrections: { company: 'acme 1' } })).status, 200);
  assert.is((await approve(2)).status, 200);
  const { body } = await api.get(`${FIGURES}?workflow=receipt`);
  const weeks = new Set(body.weeks.map(({ week }: { week: string }) => week));
  assert.is(weeks.size, body.weeks.length);
  for (const week of weeks) assert.is(new Date(String(week)).getUTCDay(), 1);
  const { approved, approvedAutomatically, automaticShare, rightShare, fields } = await lastWeek(api);
  assert.equal([approved, approvedAutomatically, automaticShare.share], [3, 0, 0]);
  const named = Object.fromEntries(fields.map(({ field, ...rest }: { field: string }) => [field, rest]));
  for (const field of ['company', 'date']) {
    const { right, corrected, correctedSure, isDrifting } = named[field];
    assert.equal([right, corrected, correctedSure, isDrifting], [2, 1, 1, false], field);
  }
  assert.equal([named.total.right, named.total.corrected], [3, 0]);
  const all = fields.length * 3;
  assert.is(rightShare.share, (all - 2) / all);
  assert.ok(rightShare.from < rightShare.share && rightShare.to > rightShare.share);
  assert.equal(body.drifts, []);
  const basis = { reason: 'article 17', legalBasis: 'erasure_request' };
  assert.is((await api.post(`/api/v1/submissions/${ids[0]}/redact`, basis)).status, 202);
  await eventually('its values are counted no more', async () => {
    const week = await lastWeek(api);
    return week.approved === 3 && week.rightShare.share === 1;
  });
});

test('the values of an approval are counted once, by workflow, and not those of test data [figures-8]', async () => {
  const slug = 'counted-receipt';
  const processing = { review: 'always' };
  const { id, api } = await service.company({ ...receiptDefinition, slug, processing });
  const { api: trial } = await service.key(id, 'test');
  const counted = async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const samples = text.matchAll(/^intake_approved_values_total\{(.*)\} (\d+)$/gm);
    return [...samples].flatMap(([, labels = '', value]) => (labels.includes(slug) ? Number(value) : []));
  };
  const approved = async (by: Client, corrections: object) => {
    const { submissionId } = await by.process([receiptText({ company: 'ACME' })], {}, slug);
    const init = { headers: { 'idempotency-key': `approve-${submissionId}` } };
    const body = { corrections };
    const answers = [1, 2].map(() => by.post(`/api/v1/submissions/${submissionId}/approve`, body, init));
    for (const { status } of await Promise.all(answers)) assert.ok([200, 409].includes(status), `${status}`);
    assert.is((await by.post(`/api/v1/submissions/${submissionId}/approve`, body)).status, 409);
  };
  await approved(trial, { company: 'Brown Ltd' });
  assert.equal(await counted(), []);
  await approved(api, { company: 'Brown Ltd' });
  assert.equal(await counted(), [2, 0, 1]);
  await approved(api, {});
  assert.equal(await counted(), [5, 0, 1]);
});

/** The newest week in which people approved something. */
const lastWeek = async (api: Client) =>
  (await api.get(FIGURES)).body.weeks.findLast(({ approved }: { approved: number }) => approved > 0);

test('the days are named, at most 92 of them [figures-1]', async () => {
  const { api } = await service.company();
  const within = await api.get(`${FIGURES}?from=2026-01-31&until=2026-02-01`);
  assert.equal(
    within.body.days.map(({ date }: { date: string }) => date),
    ['2026-01-31', '2026-02-01'],
  );
  assert.is((await api.get(`${FIGURES}?from=2026-01-01&until=2026-04-02`)).body.days.length, 92);
  for (const query of ['from=2026-01-01&until=2026-04-03', 'from=2026-02-02&until=2026-02-01']) {
    const refused = await api.get(`${FIGURES}?${query}`);
    assert.equal([refused.status, refused.body.errors[0].pointer], [400, '/query/from']);
  }
  assert.is((await api.get(`${FIGURES}?until=yesterday`)).body.errors[0].pointer, '/query/until');
});
