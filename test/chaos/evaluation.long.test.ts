import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import type { Client } from '../support/client.ts';
import { openWorld, type World } from '../support/world.ts';

const test = suite('an evaluation through kills');
const EVALUATIONS = '/api/v1/evaluations';
const PDF = {
  content: readFileSync(new URL('../../../scripts/samples/receipt.pdf', import.meta.url)),
  mimeType: 'application/pdf',
};
const SUBMISSIONS = 24;
const KILLS = 2;
let world: World;
let api: Client;

test.before(async () => {
  world = await openWorld();
  await world.start();
  ({ api } = world);
});
test.after(() => world.close());

const requested = async (): Promise<string> => {
  const { body } = await api.post(EVALUATIONS, { workflow: { slug: 'receipt', version: 1 } });
  return body.evaluationId;
};
const get = async (id: string) => (await api.get(`${EVALUATIONS}/${id}`)).body;
const completed = (id: string) =>
  eventually('the evaluation is completed', async () => {
    const body = await get(id);
    return body.status === 'completed' && body;
  });

test('killed in the middle its report is that of one that ran through [evaluations-6]', async () => {
  for (let n = 0; n < SUBMISSIONS; n += 1) {
    const { submissionId, submissionStatus } = await api.process([PDF]);
    if (submissionStatus === 'review') await api.post(`/api/v1/submissions/${submissionId}/approve`, {});
  }
  const through = await completed(await requested());
  assert.is(through.read, SUBMISSIONS);
  const id = await requested();
  const cutShort: boolean[] = [];
  for (let kills = 1; kills <= KILLS; kills += 1) {
    await eventually('some more is read', async () => (await get(id)).read >= kills * 8);
    cutShort.push((await get(id)).left > 0);
    await world.restart();
  }
  const { report, read, omitted } = await completed(id);
  assert.ok(cutShort[0], 'it was killed in the middle');
  assert.equal([read, omitted], [SUBMISSIONS, 0]);
  assert.equal(report, through.report);
});
