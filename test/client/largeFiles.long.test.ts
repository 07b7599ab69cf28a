import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { createClient, IntakeError, type Progress } from '../../client/index.ts';
import { suite } from '../harness.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('client: large files');
/** It moves a hundred megabytes, and the machine may have more to do. */
const SLOW = { timeoutMs: 180_000 };
const size = 105_000_000;
let service: TestService;
let key: string;
test.before(async () => {
  service = await startService();
  const { upload } = receiptDefinition;
  ({ key } = await service.company({ ...receiptDefinition, upload: { ...upload, maxFileSizeMb: 200 } }));
  writeFileSync(join(service.dataDir, 'large.txt'), Buffer.alloc(size, 'a line of a large file\n'));
});
test.after(() => service.close());

/** A client that counts the parts it sends; from the part `lost` on, nothing reaches the store. */
const counting = (lost = Number.POSITIVE_INFINITY) => {
  const parts: string[] = [];
  const intake = createClient({
    ...{ url: service.url, key, maxRetries: 0 },
    fetch: async (url, init) => {
      const part = new URL(String(url)).searchParams.get('partNumber');
      if (part !== null && parts.push(part) >= lost) throw new TypeError('fetch failed');
      return fetch(url, init);
    },
  });
  return { intake, parts };
};

test(
  'a large file is sent in parts; after a crash another process sends those that are missing',
  async () => {
    const path = join(service.dataDir, 'large.txt');
    const first = counting(4);
    const options = { idempotencyKey: 'large-1' };
    const error = await first.intake.submit('receipt', [path], options).catch((thrown: unknown) => thrown);
    assert.instance(error, IntakeError);
    assert.is((error as IntakeError).code, 'unreachable');
    const second = counting();
    const told: Progress[] = [];
    const job = await second.intake.submit('receipt', [path], {
      ...options,
      onProgress: (progress) => told.push(progress),
    });
    assert.ok(second.parts.length >= 4 && second.parts.length < 7, `${second.parts} of 7 were sent again`);
    assert.equal([told.at(-1)?.sent, told.at(-1)?.totalSize], [size, size]);
    const done = await second.intake.wait(job.sessionId);
    assert.is(done.state, 'failed');
    assert.match(done.failedReason ?? '', /"front" has 105000000 bytes, at most 104857600 are read/);
  },
  SLOW,
);
