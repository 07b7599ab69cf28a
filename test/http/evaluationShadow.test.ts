import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('a candidate that reads along [evaluations-18]');
const EVALUATIONS = '/api/v1/evaluations';
const definition = { ...receiptDefinition, slug: 'followed' };
let service: TestService;
let api: Client;

test.before(async () => {
  service = await startService({ SWEEP: '1s' });
  api = (await service.company(definition)).api;
});
test.after(() => service.close());

const sent = async (total: number): Promise<string> =>
  (await api.process([receiptText({ total })], {}, 'followed')).submissionId;
const requested = async (body: object): Promise<string> => {
  const { status, text, body: made } = await api.post(EVALUATIONS, body);
  assert.is(status, 202, text);
  return made.evaluationId;
};
const get = async (id: string) => (await api.get(`${EVALUATIONS}/${id}`)).body;

test('it reads what is approved after it was requested, up to its size, and publishes nothing', async () => {
  await sent(1);
  const candidate = { ...definition, outputSchema: receiptDefinition.outputSchema.slice(1) };
  const body = { definition: candidate, shadow: { share: 1 }, set: { size: 2 } };
  const id = await requested(body);
  const begun = await get(id);
  assert.equal([begun.status, begun.shadow, begun.total, begun.set.size], ['running', { share: 1 }, 0, 2]);
  const first = await sent(2);
  await eventually('the first is read', async () => (await get(id)).read === 1);
  assert.is((await get(id)).status, 'running');
  const second = await sent(3);
  await sent(4);
  const { report, ...rest } = await eventually('it has its size', async () => {
    const found = await get(id);
    return found.status === 'completed' && found;
  });
  assert.equal([rest.found, rest.total, rest.read, rest.left], [2, 2, 2, 0]);
  const seen = report.differences.map(({ submissionId }: { submissionId: string }) => submissionId);
  assert.ok(
    seen.includes(first) && new Set(seen).size === 2,
    `${seen} has ${first} and ${second} or a later`,
  );
  assert.is((await api.get('/api/v1/workflows/followed')).body.version, 1);
});

test('one that is paused takes what came meanwhile once it goes on, and ends when it is cancelled', async () => {
  const id = await requested({ workflow: { slug: 'followed', version: 1 }, shadow: { share: 1 } });
  assert.is((await api.post(`${EVALUATIONS}/${id}/pause`)).body.status, 'paused');
  const meanwhile = await sent(5);
  assert.is((await api.post(`${EVALUATIONS}/${id}/resume`)).body.status, 'running');
  await eventually('it is read', async () => (await get(id)).read === 1);
  const table = (await api.get(`${EVALUATIONS}/${id}/report.csv`)).text;
  assert.match(table, meanwhile);
  assert.is((await api.post(`${EVALUATIONS}/${id}/cancel`)).body.status, 'cancelled');
});

test('a shadow has no times, and a share of what comes in', async () => {
  const workflow = { slug: 'followed', version: 1 };
  for (const [shadow, set, pointer] of [
    [{ share: 0 }, {}, '/shadow/share'],
    [{ share: 1.5 }, {}, '/shadow/share'],
    [{}, {}, '/shadow/share'],
    [{ share: 0.5 }, { createdAfter: '2026-01-01T00:00:00Z' }, '/set'],
  ] as const) {
    const { status, body } = await api.post(EVALUATIONS, { workflow, shadow, set });
    assert.equal([status, body.errors?.[0]?.pointer], [422, pointer]);
  }
});
