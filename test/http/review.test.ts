import * as assert from 'uvu/assert';
import { rounds, suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('review');
let service: TestService;
let api: Client;

test.before(async () => {
  service = await sharedService();
  api = (await service.company()).api;
});

const inReview = async (input: object = {}): Promise<string> => {
  const job = await api.process([receiptText({ company: undefined })], input);
  assert.is(job.submissionStatus, 'review', JSON.stringify(job));
  return job.submissionId;
};
const decide = (id: string, what: string, body?: unknown) =>
  api.post(`/api/v1/submissions/${id}/${what}`, body);
const detail = async (id: string) => (await api.get(`/api/v1/submissions/${id}`)).body;

test('what is missing is a reason to review [lifecycle-15, review-9]', async () => {
  const id = await inReview();
  const { reviewReasons, extractedData } = await detail(id);
  assert.equal(reviewReasons[0], { code: 'missing_required', field: 'company' });
  assert.is(extractedData.company, null);
});

for (const [what, status, rule] of [
  ['approve', 'approved', 'review-1'],
  ['reject', 'rejected', 'review-2'],
  ['cancel', 'cancelled', 'review-3'],
] as const) {
  test(`${what} answers the decision, shows at once, and can't be repeated [${rule}, lifecycle-14]`, async () => {
    const id = await inReview();
    const { status: code, body } = await decide(id, what);
    assert.is(code, 200);
    assert.equal(body, {
      submissionId: id,
      workflow: { slug: 'receipt', version: body.workflow.version },
      submissionStatus: status,
      missing: status === 'approved' ? ['company'] : [],
    });
    assert.is((await detail(id)).submissionStatus, status);
    const again = await decide(id, what);
    assert.is(again.status, 409);
    assert.is(again.body.currentStatus, status);
    assert.ok(Array.isArray(again.body.allowedFrom));
  });
}

test('reasons, comments and actors are kept [review-4]', async () => {
  const rejected = await inReview();
  await decide(rejected, 'reject', { reason: 'blurred', actor: 'ann' });
  const { rejectReason, events } = await detail(rejected);
  assert.is(rejectReason, 'blurred');
  assert.equal(events.at(-1).details, { reason: 'blurred', actor: 'ann' });
  const cancelled = await inReview();
  await decide(cancelled, 'cancel', { reason: 'sent twice' });
  assert.is((await detail(cancelled)).cancelReason, 'sent twice');
});

test('corrections are checked against their fields and kept beside what the machine read [review-5]', async () => {
  const id = await inReview();
  for (const [corrections, pointer] of [
    [{ nothing: 'x' }, '/corrections/nothing'],
    [{ total: 'much' }, '/corrections/total'],
    [{ date: 'yesterday' }, '/corrections/date'],
    [{ company: { a: 1 } }, '/corrections/company'],
  ] as const) {
    const { status, body } = await decide(id, 'approve', { corrections });
    assert.equal([status, body.errors?.[0]?.pointer], [422, pointer], JSON.stringify(body));
  }
  const answer = await decide(id, 'approve', {
    corrections: { company: 'ACME', total: null },
    actor: 'ann',
    comment: 'ok',
  });
  assert.is(answer.status, 200);
  const { extractedData, corrections } = await detail(id);
  assert.equal([extractedData.company, extractedData.total], ['ACME', null]);
  assert.equal(
    corrections.map(({ field, machineValue, humanValue, actor }: Record<string, unknown>) => [
      field,
      machineValue,
      humanValue,
      actor,
    ]),
    [
      ['company', null, 'ACME', 'ann'],
      ['total', 80.9, null, 'ann'],
    ],
  );
});

const placeIn = (fileId: string, page = 1) => ({
  ...{ fileId, page, size: { width: 600, height: 800 } },
  box: { left: 40, top: 60, right: 120.5, bottom: 72 },
});

test('an approval takes the places of corrected values alone, in files of the submission [fields-20]', async () => {
  const id = await inReview();
  const place = placeIn((await detail(id)).files[0].id);
  const other = placeIn('fil_01hv6x3m8q2r5t7w9y0a1b2c3d');
  const corrections = { company: 'ACME' };
  for (const [body, pointer] of [
    [{ corrections, places: { total: place } }, '/places/total'],
    [{ places: { company: place } }, '/places/company'],
    [{ corrections, places: { company: other } }, '/places/company/fileId'],
    [{ corrections, places: { company: { ...place, page: 0 } } }, '/places/company/page'],
    [{ corrections, places: { company: { ...place, box: undefined } } }, '/places/company/box'],
    [{ corrections, places: { company: { ...place, more: 1 } } }, '/places/company/more'],
    [{ corrections, places: { company: null } }, '/places/company'],
    [
      { corrections, places: { company: { ...place, box: { ...place.box, right: 4 } } } },
      '/places/company/box',
    ],
  ] as const) {
    const { status, body: answer } = await decide(id, 'approve', body);
    const found = answer.errors?.map((fault: { pointer: string }) => fault.pointer);
    assert.equal([status, found], [422, [pointer]], JSON.stringify(answer));
  }
  assert.is((await decide(id, 'approve', { corrections, places: null })).status, 200);
});

test('a correction keeps the place that was sent with it, and one that was typed has none [fields-21]', async () => {
  const { submissionId: id } = await api.process([receiptText({ company: undefined })]);
  const before = await api.get(`/api/v1/submissions/${id}/result`);
  const place = placeIn((await detail(id)).files[0].id);
  const corrections = { company: 'ACME', total: 81 };
  assert.is((await decide(id, 'approve', { corrections, places: { company: place } })).status, 200);
  const { corrections: kept, events } = await detail(id);
  const placed = kept.map(({ field, place }: Record<string, unknown>) => [field, place]);
  assert.equal(placed, [
    ['company', place],
    ['total', null],
  ]);
  const said = events.at(-1).details.corrections;
  assert.equal([said[0].place, 'place' in said[1]], [place, false]);
  const after = await api.get(`/api/v1/submissions/${id}/result`);
  assert.equal(after.body, before.body, 'what the machine read');
});

const cancellable = ['created', 'processing', 'capture_quality_blocked', 'review', 'failed'];

test('a refused decision tells the status, and from which it is allowed', async () => {
  const session = await api.open([]);
  const { submissionId: approved } = await api.process([receiptText()]);
  const [rejected, cancelled] = [await inReview(), await inReview()];
  await decide(rejected, 'reject');
  await decide(cancelled, 'cancel');
  for (const [id, status, decisions] of [
    [session.submissionId, 'created', ['approve', 'reject']],
    [approved, 'approved', ['approve', 'reject', 'cancel']],
    [rejected, 'rejected', ['approve', 'reject', 'cancel']],
    [cancelled, 'cancelled', ['approve', 'reject', 'cancel']],
  ] as const) {
    for (const what of decisions) {
      const { status: code, body } = await decide(id, what);
      const expected =
        what === 'cancel'
          ? ['submission-not-cancellable', cancellable]
          : ['submission-not-in-review', ['review']];
      assert.equal([code, body.currentStatus, body.retryable], [409, status, false], `${what} ${status}`);
      assert.equal([body.code, body.allowedFrom], expected, `${what} ${status}`);
    }
  }
});

test('an approved submission can be neither rejected nor cancelled [lifecycle-10]', async () => {
  const { submissionId } = await api.process([receiptText()]);
  for (const what of ['approve', 'reject', 'cancel']) {
    const { status, body } = await decide(submissionId, what);
    assert.equal([status, body.currentStatus], [409, 'approved'], what);
    assert.not.ok(body.allowedFrom.includes('approved'));
  }
});

test('a decision on what the key may not see is the same 404 as on what is not there [visibility-1]', async () => {
  const own = await service.company();
  const session = await own.api.open([]);
  const hidden = `/api/v1/submissions/${session.submissionId}`;
  const testMode = await service.key(own.id, 'test');
  for (const what of ['approve', 'reject', 'cancel']) {
    const answers = await Promise.all([
      api.post(`${hidden}/${what}`),
      testMode.api.post(`${hidden}/${what}`),
      own.api.post(`/api/v1/submissions/sub_${'0'.repeat(26)}/${what}`),
      own.api.post(`/api/v1/submissions/${session.sessionId}/${what}`),
    ]);
    const told = answers.map(({ status, body }) => JSON.stringify([status, body.code, body.detail]));
    assert.is(new Set(told).size, 1, told.join('\n'));
    assert.match(told[0] ?? '', /^\[404/);
  }
  assert.is((await own.api.job(session)).body.submissionStatus, 'created');
});

test('a submission can be cancelled before it is submitted', async () => {
  const session = await api.open([]);
  assert.is((await decide(session.submissionId, 'cancel')).status, 200);
  const { body } = await api.job(session);
  assert.equal([body.state, body.submissionStatus], ['cancelled', 'cancelled']);
});

test('bodies are checked [review-4]', async () => {
  const id = await inReview();
  for (const [what, body] of [
    ['approve', { comment: 1 }],
    ['approve', { actor: 1 }],
    ['approve', { actor: 'x'.repeat(129) }],
    ['reject', { reason: false }],
    ['reject', { reason: 'x'.repeat(1001) }],
    ['cancel', { other: 1 }],
    ['cancel', []],
  ] as const) {
    assert.is((await decide(id, what, body)).status, 422, JSON.stringify(body));
  }
  assert.is((await detail(id)).submissionStatus, 'review');
});

const ROUNDS = rounds(5, 500);
const AT_ONCE = Math.min(10, ROUNDS);

test(
  `of six reviewers at once exactly one wins, and leaves one event: ${ROUNDS} rounds [review-10]`,
  async () => {
    for (let round = 0; round < ROUNDS; round += AT_ONCE) {
      const ids = await Promise.all(Array.from({ length: AT_ONCE }, () => inReview()));
      for (const id of ids) await sixReviewers(id);
    }
  },
  { timeoutMs: 60_000 + ROUNDS * 2_000 },
);

const sixReviewers = async (id: string): Promise<void> => {
  const answers = await Promise.all(
    ['approve', 'reject', 'cancel', 'approve', 'reject', 'cancel'].map((what) => decide(id, what)),
  );
  assert.equal(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
  const { events } = await detail(id);
  const decisions = events.filter(({ type }: { type: string }) => /approved|rejected|cancelled/.test(type));
  assert.is(decisions.length, 1);
};

test(
  'each decision is told by a webhook that carries no result [webhooks-9]',
  async () => {
    for (const [what, eventType] of [
      ['approve', 'submission.approved'],
      ['reject', 'submission.rejected'],
      ['cancel', 'submission.cancelled'],
    ]) {
      const id = await inReview({ webhookUrl: `${service.receiver.url}/${what}` });
      await decide(id, what as string);
      const received = await service.receiver.waitFor(
        ({ path, headers }) => path === `/${what}` && headers['x-webhook-event'] === eventType,
      );
      const envelope = JSON.parse(received.body.toString());
      assert.equal([envelope.submissionId, envelope.result], [id, null]);
    }
  },
  { timeoutMs: 60_000 },
);

test('an approval names the required values that are missing: in the answer, the event and the history [review-18]', async () => {
  const id = await inReview();
  const { status, body } = await decide(id, 'approve', { corrections: { total: null, date: null } });
  assert.equal([status, body.missing], [200, ['company', 'date', 'total']]);
  assert.equal((await detail(id)).events.at(-1).details.missing, ['company', 'date', 'total']);
  const whole = await inReview();
  const approved = await decide(whole, 'approve', { corrections: { company: 'ACME' } });
  assert.equal(approved.body.missing, []);
  assert.is('missing' in ((await detail(whole)).events.at(-1).details ?? {}), false);
});

test('a workflow may refuse an approval without its required values, and names them [review-18]', async () => {
  const strict = { ...receiptDefinition, slug: 'complete-only', processing: { requireComplete: true } };
  const company = await service.company(strict);
  const { body: contract } = await company.api.get('/api/v1/workflows/complete-only/versions/1');
  assert.is(contract.requireComplete, true);
  const { submissionId: id } = await company.api.process(
    [receiptText({ company: undefined })],
    {},
    'complete-only',
  );
  const approve = (corrections: object) =>
    company.api.post(`/api/v1/submissions/${id}/approve`, { corrections });
  const refused = await approve({ total: null });
  assert.equal([refused.status, refused.body.code], [422, 'validation-failed']);
  assert.equal(
    refused.body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/corrections/company', '/corrections/total'],
  );
  assert.is((await company.api.get(`/api/v1/submissions/${id}`)).body.submissionStatus, 'review');
  const { status, body } = await approve({ company: 'ACME' });
  assert.equal([status, body.missing], [200, []]);
});
