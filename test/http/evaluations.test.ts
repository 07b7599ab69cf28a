import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { type Client, type Reply, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('evaluations');
const EVALUATIONS = '/api/v1/evaluations';
const definition = { ...receiptDefinition, slug: 'evaluated' };
const [company, date, total] = receiptDefinition.outputSchema;
/** It reads no company, and requires what no receipt has. */
const draft = {
  ...definition,
  outputSchema: [date, total, { name: 'table', label: 'Table', required: true, type: 'string' }],
};
let service: TestService;
let api: Client;
let other: Client;
let corrected = '';
let ids: readonly string[];

test.before(async () => {
  service = await sharedService();
  api = (await service.company(definition)).api;
  other = (await service.company(definition)).api;
  const sent = async () => (await api.process([receiptText()], {}, 'evaluated')).submissionId as string;
  ids = [await sent(), await sent()];
  await service.publish({ ...definition, processing: { review: 'always' } });
  corrected = await sent();
  const approval = { corrections: { total: 100 } };
  assert.is((await api.post(`/api/v1/submissions/${corrected}/approve`, approval)).status, 200);
});

const requested = async (body: object): Promise<string> => {
  const answer = await api.post(EVALUATIONS, body);
  assert.is(answer.status, 202, answer.text);
  return answer.body.evaluationId;
};
const get = (id: string, query = ''): Promise<Reply> => api.get(`${EVALUATIONS}/${id}${query}`);
const completed = (id: string) =>
  eventually('the evaluation is completed', async () => {
    const { body } = await get(id);
    return body.status === 'completed' && body;
  });
const pointerOf = ({ status, body }: Reply) => [status, body.errors?.[0]?.pointer];

test('a published version is tried on what was approved, beside what was read then [evaluations-1, evaluations-2, evaluations-3, evaluations-8]', async () => {
  const id = await requested({ workflow: { slug: 'evaluated', version: 1 } });
  const { report, ...rest } = await completed(id);
  assert.equal(
    [rest.workflow, rest.found, rest.redacted, rest.total, rest.read, rest.omitted, rest.left],
    [{ slug: 'evaluated', version: 1 }, 3, 0, 3, 3, 0, 0],
  );
  assert.ok(rest.endedAt >= rest.createdAt && rest.actor.startsWith('key:'));
  assert.equal([report.documents, report.checked, report.reviewBelow], [3, 1, 0.5]);
  assert.equal([report.before.approved.share, report.after.approved.share], [2 / 3, 1]);
  assert.equal([report.before.wrongApproved.share, report.after.wrongApproved.share], [0, 1 / 3]);
  assert.equal([report.differences, report.approvals], [[], [{ submissionId: corrected, isApproved: true }]]);
  const { data } = (await api.get(`${EVALUATIONS}?limit=1`)).body;
  assert.equal(data, [rest]);
});

test('a draft is compared field by field: what it reads differently, and what it no longer approves [evaluations-9]', async () => {
  const { report } = await completed(await requested({ definition: draft }));
  const names = (side: { fields: readonly { name: string }[] }) => side.fields.map(({ name }) => name);
  assert.equal(
    [names(report.before), names(report.after)],
    [
      [company.name, 'date', 'total'],
      ['date', 'total'],
    ],
  );
  const [field] = report.after.fields.filter(({ name }: { name: string }) => name === 'total');
  assert.equal([field.exact, field.wrong, field.wrongSure, field.right.share], [2, 1, 1, 2 / 3]);
  assert.equal(
    report.differences.map((one: Record<string, object>) => [one.name, one.after]),
    [1, 2, 3].map(() => ['company', null]),
  );
  assert.equal(
    report.approvals.map(({ submissionId }: { submissionId: string }) => submissionId).sort(),
    [...ids].sort(),
  );
  const counted = report.after.calibration.reduce(
    (sum: number, { count }: { count: number }) => sum + count,
    0,
  );
  assert.is(counted, 6);
});

test('a set is a filter and a seed; redacted submissions are left out and counted [evaluations-2, evaluations-5]', async () => {
  const gone = (await api.process([receiptText({ total: 7 })], {}, 'evaluated')).submissionId;
  assert.is((await api.post(`/api/v1/submissions/${gone}/approve`, {})).status, 200);
  const basis = { reason: 'article 17', legalBasis: 'erasure_request' };
  assert.is((await api.post(`/api/v1/submissions/${gone}/redact`, basis)).status, 202);
  const person = await completed(await requested({ definition, set: { approvedBy: 'person' } }));
  assert.equal([person.found, person.redacted, person.read, person.report.checked], [2, 1, 1, 1]);
  const one = { definition, set: { size: 1, seed: 7 } };
  const drawn = async () =>
    (await get((await completed(await requested(one))).evaluationId, '/report.csv')).text;
  assert.is(await drawn(), await drawn());
  const none = await api.post(EVALUATIONS, { definition, set: { createdBefore: '2020-01-01T00:00:00Z' } });
  assert.equal([none.status, none.body.total, none.body.status], [202, 0, 'completed']);
  assert.is((await get(none.body.evaluationId)).body.report.advice, null);
});

test('nothing of a submission changes, nothing is published, and no value is kept [evaluations-10]', async () => {
  const before = await api.get(`/api/v1/submissions/${corrected}/events`);
  const deliveries = await api.get('/api/v1/webhook-deliveries');
  const { report } = await completed(await requested({ definition: draft }));
  assert.equal((await api.get(`/api/v1/submissions/${corrected}/events`)).body, before.body);
  assert.equal((await api.get('/api/v1/webhook-deliveries')).body, deliveries.body);
  assert.is((await api.get('/api/v1/workflows/evaluated')).body.version, 2);
  assert.not.match(JSON.stringify(report), /ACME|80\.9/);
});

test('the report is a table and a plot as well [evaluations-11]', async () => {
  const { evaluationId } = await completed(
    await requested({ definition: draft, set: { approvedBy: 'person' } }),
  );
  const table = await get(evaluationId, '/report.csv');
  assert.match(table.headers.get('content-type') ?? '', 'text/csv');
  const [head, ...lines] = table.text.trim().split('\r\n');
  assert.match(head ?? '', /^submission,version,checked,field,changed,before,/);
  assert.is(lines.length, 3);
  assert.match(lines.join('\n'), new RegExp(`${corrected},2,true,total,false,wrong,`));
  const plot = await get(evaluationId, '/report.svg');
  assert.match(plot.headers.get('content-type') ?? '', 'image/svg+xml');
  assert.match(plot.text, /^<svg /);
});

test('a threshold is advised where the set shows that it holds, else how many it would take [evaluations-12]', async () => {
  const { evaluationId } = await completed(await requested({ workflow: { slug: 'evaluated', version: 1 } }));
  const advised = async (query: string) => (await get(evaluationId, query)).body.report.advice;
  const { needed, threshold, total: decided, maxWrong } = await advised('');
  assert.equal([needed, threshold, decided, maxWrong], [299, null, 3, 0.01]);
  assert.is((await advised('?maxWrong=0.05')).needed, 59);
  const { fields } = await advised('');
  assert.equal(
    fields.map(({ name, threshold: one }: { name: string; threshold: object | null }) => [name, one]),
    ['company', 'date', 'total'].map((name) => [name, null]),
  );
  for (const malformed of ['0', '0.6', '1', 'x', '-0.1'])
    assert.equal(pointerOf(await get(evaluationId, `?maxWrong=${malformed}`)), [400, '/query/maxWrong']);
});

test('it is cancelled once, and what has ended is paused and resumed no more [evaluations-7]', async () => {
  const { evaluationId } = await completed(await requested({ definition }));
  for (const change of ['pause', 'resume', 'cancel']) {
    const { status, body } = await api.post(`${EVALUATIONS}/${evaluationId}/${change}`);
    assert.equal([status, body.code], [409, 'evaluation-ended'], change);
  }
});

test('what is no version of a workflow of the company, or reads elsewhere, is refused [evaluations-1]', async () => {
  const http = { http: { url: 'https://extractor.example.com', secretEnv: 'EXTRACTOR_SECRET' } };
  for (const [body, pointer] of [
    [{}, '/workflow'],
    [{ workflow: { slug: 'evaluated', version: 1 }, definition }, '/workflow'],
    [{ workflow: { slug: 'evaluated', version: 99 } }, '/workflow/version'],
    [{ workflow: { slug: 'elsewhere', version: 1 } }, '/workflow/slug'],
    [{ definition: { ...definition, slug: 'elsewhere' } }, '/definition/slug'],
    [{ definition: { ...definition, outputSchema: [] } }, '/definition/outputSchema'],
    [{ definition: { ...definition, processing: { extractor: http } } }, '/definition/processing/extractor'],
    [{ definition, set: { size: 5_001 } }, '/set/size'],
    [{ definition, set: { createdAfter: 'yesterday' } }, '/set/createdAfter'],
  ] as const)
    assert.equal(
      pointerOf(await api.post(EVALUATIONS, body)),
      [422, pointer],
      JSON.stringify(body).slice(0, 80),
    );
});

test('another company sees nothing of it [evaluations-13]', async () => {
  const id = await requested({ definition });
  for (const path of ['', '/report.csv', '/report.svg'])
    assert.is((await other.get(`${EVALUATIONS}/${id}${path}`)).status, 404);
  assert.is((await other.post(`${EVALUATIONS}/${id}/cancel`)).status, 404);
  assert.equal((await other.get(EVALUATIONS)).body.data, []);
  await completed(id);
});
