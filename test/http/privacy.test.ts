import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { hashKey } from '../../stores/credentials.ts';
import { eventually, suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('what the log holds on disk');
let service: TestService;
test.before(async () => {
  service = await startService();
});
test.after(() => service.close());

const planted = {
  clientSubmissionId: 'client-4711-plant',
  batchRef: 'batch-4711-plant',
  metadata: { contact: 'ada.plant@example.com' },
  files: [{ fileName: 'passport-of-plant.json', mimeType: 'application/json', fileSize: 0 }],
};
const company = 'Plantagenet Trading';

test('nothing private of a session, no key and no hash of one stands in the log as text', async () => {
  const { api, key } = await service.company();
  const file = receiptText({ company });
  const fileSize = Buffer.byteLength(file.content);
  const session = await api.open([file], {
    ...planted,
    files: [{ ...planted.files[0], fileSize }],
    webhookUrl: `${service.receiver.url}/hook?token=plant-token-4711`,
  });
  assert.is((await api.submit(session)).status, 202);
  const job = await api.ended(session);
  assert.is(job.submissionStatus, 'approved');
  await service.receiver.waitFor(({ body }) => body.includes(company));
  const cancelled = await api.open([receiptText()]);
  const reason = 'because of Mrs Plantain';
  await api.post(`/api/v1/submissions/${cancelled.submissionId}/cancel`, {
    reason,
    actor: 'bob@plant.example',
  });
  await eventually(
    'the delivery is recorded',
    async () => (await api.job(session)).body.webhookDeliveryStatus === 'delivered',
  );
  const bytes = Buffer.concat(
    readdirSync(service.dataDir)
      .filter((name) => name.startsWith('log.db'))
      .map((name) => readFileSync(join(service.dataDir, name))),
  );
  assert.ok(bytes.includes(session.submissionId), 'the log is where it is looked for');
  const secrets = [
    key,
    hashKey(key),
    company,
    'ada.plant',
    'client-4711',
    'batch-4711',
    'passport-of',
    'plant-token',
    'Plantain',
    'bob@plant',
  ];
  assert.equal(
    secrets.filter((secret) => bytes.includes(secret)),
    [],
  );
});
