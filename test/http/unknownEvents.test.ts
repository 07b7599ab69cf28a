import * as assert from 'uvu/assert';
import { submissionStream } from '../../domain/submission/submission.ts';
import { eventually, suite } from '../harness.ts';
import { type Client, client, receiptText } from '../support/client.ts';
import { openCore } from '../support/core.ts';
import { appendForeign } from '../support/foreign.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('events that another release has written');
const METRICS_TOKEN = 'metrics-token-of-the-test';
let service: TestService;
let api: Client;
let id: string;
let path: string;
test.before(async () => {
  service = await startService({ METRICS_TOKEN });
  ({ api } = await service.company());
  id = (await api.process([receiptText({ company: undefined })])).submissionId;
  path = `/api/v1/submissions/${id}`;
  const core = await openCore(service.config);
  const data = { submissionId: id, words: 'well done' };
  const position = await appendForeign(core, submissionStream(id), { type: 'SubmissionPraised', data });
  await eventually('the read models have passed it', () => core.progress.reached(position, 10));
  await core.close();
});
test.after(() => service.close());

type Item = Readonly<{ revision: number }>;

test('reads go on, and tell what is known [history-5]', async () => {
  const { status, body, headers } = await api.get(path);
  assert.equal([status, body.submissionStatus], [200, 'review']);
  assert.is(headers.get('etag'), '"3"');
  const { data } = (await api.get(`${path}/events`)).body;
  assert.equal(
    data.map(({ revision }: Item) => revision),
    [0, 1, 2, 3],
  );
  assert.is((await api.get(`${path}?at=3`)).status, 200);
  assert.is((await api.get(`${path}?at=4`)).status, 404);
  assert.is((await api.get('/api/v1/events')).status, 200);
});

test('it is counted where operators look', async () => {
  const { text } = await client(service.url, METRICS_TOKEN).get('/metrics');
  assert.match(text, /^intake_parked_events\{type="SubmissionPraised"\} 1$/m);
});

test('decisions go on behind it, with the revision that was shown as their condition [history-5]', async () => {
  const stale = await api.post(`${path}/approve`, {}, { headers: { 'if-match': '"2"' } });
  assert.is(stale.status, 412);
  const approved = await api.post(`${path}/approve`, {}, { headers: { 'if-match': '"3"' } });
  assert.is(approved.status, 200, approved.text);
  assert.is((await api.get(path)).headers.get('etag'), '"5"');
  const { data } = (await api.get(`${path}/events`)).body;
  assert.equal(
    data.map(({ revision }: Item) => revision),
    [0, 1, 2, 3, 5],
  );
});
