import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { rounds, suite } from '../harness.ts';
import type { Client } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('real receipts');
/** Scans with their true fields beside them (`NAME.jpg`, `NAME.json`), where the machine has them. */
const folder = process.env.RECEIPTS ?? '../shared/samples/receipts';
const scans = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jpg')) : [];
const definition = { ...receiptDefinition, upload: { ...receiptDefinition.upload, maxFileSizeMb: 10 } };
let service: TestService;
let api: Client;

test.before(async () => {
  service = await startService();
  api = (await service.company(definition)).api;
});
test.after(() => service.close());

if (scans.length === 0) test.skip('scans end within 20 s', `no scans in RECEIPTS=${folder}`);
for (const name of scans.sort().slice(0, rounds(1, scans.length))) {
  test(
    `${name} ends within 20 s`,
    async () => {
      const job = await api.process([{ content: readFileSync(join(folder, name)), mimeType: 'image/jpeg' }]);
      assert.ok(['approved', 'review'].includes(job.submissionStatus), JSON.stringify(job));
    },
    { timeoutMs: 25_000 },
  );
}
