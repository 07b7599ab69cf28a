import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
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
