import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('the main job');
let service: TestService;
test.before(async () => {
  service = await startService();
});
test.after(() => service.close());

test(
  'a document is uploaded, submitted and processed, and a signed webhook tells of it [lifecycle-20, overview-1]',
  async () => {
    const { api } = await service.company();
    const job = await api.process([receiptText()], {
      webhookUrl: `${service.receiver.url}/hook`,
      clientSubmissionId: 'order-7',
      metadata: { a: [1, 'ü'] },
    });
    assert.is(job.submissionStatus, 'approved', JSON.stringify(job));
    const received = await service.receiver.waitFor(({ path }) => path === '/hook');
    const envelope = JSON.parse(received.body.toString());
    assert.is(envelope.eventType, 'session.completed');
    assert.is(envelope.clientSubmissionId, 'order-7');
    assert.equal(envelope.metadata, { a: [1, 'ü'] });
  },
  { timeoutMs: 60_000 },
);
