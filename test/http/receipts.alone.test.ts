import { spawnSync } from 'node:child_process';
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
const IDLE_MS = 20_000;

/** How many times longer work at the priority of the processing children takes now than on a machine that is idle. */
const slowdown = (): number => {
  const work = `require('os').setPriority(10); const [at, cpu] = [performance.now(), process.cpuUsage()];
    while (process.cpuUsage(cpu).user + process.cpuUsage(cpu).system < 300000);
    console.log((performance.now() - at) / 300)`;
  const { stdout } = spawnSync(process.execPath, ['--eval', work], { encoding: 'utf8' });
  return Math.max(1, Number(stdout));
};

let service: TestService;
let api: Client;

test.before(async () => {
  service = await startService();
  api = (await service.company(definition)).api;
});
test.after(() => service.close());

if (scans.length === 0) test.skip('scans end within 20 s', `no scans in RECEIPTS=${folder}`);
for (const name of scans.sort().slice(0, rounds(2, scans.length))) {
  test(
    `${name} ends within 20 s of an idle machine’s time`,
    async () => {
      const session = await api.open([{ content: readFileSync(join(folder, name)), mimeType: 'image/jpeg' }]);
      assert.is((await api.submit(session)).status, 202);
      const job = await api.ended(session, IDLE_MS * slowdown());
      assert.ok(['approved', 'review'].includes(job.submissionStatus), JSON.stringify(job));
    },
    { timeoutMs: 600_000 },
  );
}
