import * as assert from 'uvu/assert';
import { refusalOf } from '../cli/run.ts';
import { eventually, suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { runIntake } from '../support/commandLine.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('reprocessing [cli-7]');
let service: TestService;
let api: Client;
test.before(async () => {
  service = await sharedService();
  ({ api } = await service.company());
});

test(
  'an operator begins a new round for a failed submission: it has its own outcome event and webhook [lifecycle-21]',
  async () => {
    const broken = { content: '{', mimeType: 'application/json' };
    const webhookUrl = `${service.receiver.url}/rounds`;
    const job = await api.process([broken], { webhookUrl });
    assert.is(job.submissionStatus, 'failed');
    const id = job.submissionId;
    assert.equal(await service.intake('submissions', 'reprocess', id), {
      id,
      submissionStatus: 'processing',
      round: 2,
    });
    const sent = () => service.receiver.requests.filter(({ path }) => path === '/rounds');
    await eventually('the second round’s webhook', () => sent().length === 2);
    const envelopes = sent().map(({ body }) => JSON.parse(body.toString()));
    assert.equal(
      envelopes.map(({ eventType }) => eventType),
      ['session.failed', 'session.failed'],
    );
    assert.is(new Set(envelopes.map(({ eventId }) => eventId)).size, 2);
    const { events, submissionStatus } = (await api.get(`/api/v1/submissions/${id}`)).body;
    assert.is(submissionStatus, 'failed');
    assert.equal(
      events.slice(-4).map(({ type, details }: Record<string, { round: number }>) => [type, details?.round]),
      [
        ['submission.processing_failed', 1],
        ['submission.reprocessing_requested', 2],
        ['submission.processing_started', 2],
        ['submission.processing_failed', 2],
      ],
    );
  },
  { timeoutMs: 60_000 },
);

test(
  'a submission that did not fail can’t be processed again, and the refusal says why',
  async () => {
    const { submissionId } = await api.process([receiptText()]);
    const { code, detail } = refusalOf(
      await runIntake(service.environment, 'submissions', 'reprocess', submissionId, '--json'),
    );
    assert.is(code, 'submission-not-reprocessable');
    assert.match(detail, /status is approved: it can become processing from .* only/);
  },
  { timeoutMs: 60_000 },
);
