import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('what a version asks for');
let service: TestService;
test.before(async () => {
  service = await sharedService();
});

type Bounds = Partial<Readonly<Record<keyof (typeof receiptDefinition)['upload'], unknown>>>;

/**
 * A company with a workflow of its own, which differs from the receipt's in its uploads and its processing.
 */
const versionWith = async (slug: string, upload: Bounds, processing: object): Promise<Client> => {
  const full = { ...receiptDefinition.upload, ...upload };
  return (await service.company({ ...receiptDefinition, slug, upload: full, processing })).api;
};
const reasonsOf = async (api: Client, { submissionId }: { submissionId: string }) =>
  (await api.get(`/api/v1/submissions/${submissionId}`)).body.reviewReasons;

test('a version that always asks for a review gets one [lifecycle-19]', async () => {
  const api = await versionWith('always', {}, { review: 'always', reviewBelow: 0 });
  const job = await api.process([receiptText()], {}, 'always');
  assert.equal([job.state, job.submissionStatus], ['completed', 'review']);
  assert.equal(await reasonsOf(api, job), [{ code: 'always_review', field: null }]);
});

test('a confidence below the version’s line is a reason to review, one on it is not [lifecycle-17, review-9]', async () => {
  const unsure = { content: 'ACME Trading Ltd\nDate: 12/03/2018\nTotal 80.90\n', mimeType: 'text/plain' };
  const none = await versionWith('any', {}, { reviewBelow: 0 });
  const { submissionId } = await none.process([unsure], {}, 'any');
  const { confidence } = (await none.get(`/api/v1/submissions/${submissionId}`)).body;
  assert.ok(confidence > 0 && confidence < 1, `${confidence}`);
  const on = await versionWith('on', {}, { reviewBelow: confidence });
  assert.is((await on.process([unsure], {}, 'on')).submissionStatus, 'approved');
  const above = await versionWith('above', {}, { reviewBelow: 1 });
  const job = await above.process([unsure], {}, 'above');
  assert.is(job.submissionStatus, 'review');
  const { extractedData, fieldConfidences } = (await above.get(`/api/v1/submissions/${job.submissionId}`))
    .body;
  const unsureOf = Object.keys(fieldConfidences).filter(
    (name) => extractedData[name] !== null && fieldConfidences[name] < 1,
  );
  assert.ok(unsureOf.length > 0);
  const reasons = unsureOf.map((field) => ({ code: 'low_confidence', field }));
  assert.equal(await reasonsOf(above, job), reasons, 'each field below the line is named');
});

test('a value that breaks its field is a reason to review [lifecycle-16]', async () => {
  const api = await versionWith('strict', {}, { reviewBelow: 0 });
  const job = await api.process([receiptText({ date: 'some day' })], {}, 'strict');
  assert.is(job.submissionStatus, 'review');
  assert.is((await reasonsOf(api, job))[0].field, 'date');
});

test('where no file is needed a session without one is processed, and waits for what it lacks', async () => {
  const api = await versionWith('free', { minFiles: 0 }, {});
  const job = await api.process([], {}, 'free');
  assert.is(job.submissionStatus, 'review', JSON.stringify(job));
  assert.equal(
    (await reasonsOf(api, job)).map(({ code }: { code: string }) => code),
    [...Array.from({ length: 3 }, () => 'missing_required'), 'low_confidence'],
  );
});

test('a version whose least is two files refuses one', async () => {
  const api = await versionWith('two', { minFiles: 2 }, {});
  const session = await api.open([receiptText()], {}, 'two');
  const { status, body } = await api.submit(session, 'two');
  assert.equal([status, body.code, body.errors[0].pointer], [422, 'validation-failed', '/files']);
  assert.match(body.errors[0].detail, /2 to 3 .*not 1/);
});

test('slots beyond those used are ignored [uploads-11]', async () => {
  const api = await versionWith('some', {}, { reviewBelow: 0 });
  const job = await api.process([receiptText()], {}, 'some');
  const { files } = (await api.get(`/api/v1/submissions/${job.submissionId}`)).body;
  assert.equal(
    files.map(({ label }: { label: string }) => label),
    ['front'],
  );
});
