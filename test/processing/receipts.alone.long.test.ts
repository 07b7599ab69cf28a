import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { convert } from '../../processing/fields/readings.ts';
import { rounds, suite } from '../harness.ts';
import type { Client } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startService, type TestService } from '../support/service.ts';
import { notation } from './files.ts';

const test = suite('real receipts');
/** Scans with their true fields beside them (`NAME.jpg`, `NAME.json`), where the machine has them. */
const folder = process.env.RECEIPTS ?? '../shared/samples/receipts';
const scans = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jpg')) : [];
const address = { name: 'address', required: false, description: 'where', type: 'string' };
const definition = {
  ...receiptDefinition,
  outputSchema: [...receiptDefinition.outputSchema, address],
  upload: { ...receiptDefinition.upload, maxFileSizeMb: 10 },
};

type Result = Readonly<{
  fields: Readonly<Record<string, Readonly<{ value: unknown; confidence: number }>>>;
}>;
type Judged = Readonly<{ field: string; isRight: boolean; confidence: number }>;
const judged: Judged[] = [];

/** What is to be found on the samples at least: right to the letter, but for case, spaces and punctuation. */
const FLOORS = { company: 0.81, date: 0.93, address: 0.75, total: 1 };

const comparable = (field: string, value: unknown): string => {
  const text = String(value ?? '');
  const type = { date: 'date', total: 'number' }[field];
  if (type === 'date' || type === 'number')
    return String(convert({ name: field, label: null, type }, text, notation).value ?? '');
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
};

const judgedFields = (name: string, { fields }: Result): readonly Judged[] => {
  const truth = JSON.parse(readFileSync(join(folder, name.replace('.jpg', '.json')), 'utf8'));
  return Object.keys(FLOORS).map((field) => ({
    field,
    isRight: comparable(field, fields[field]?.value) === comparable(field, truth[field]),
    confidence: fields[field]?.confidence ?? 0,
  }));
};

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
      judged.push(...judgedFields(name, job.result as Result));
    },
    { timeoutMs: 25_000 },
  );
}

const all = rounds(1, scans.length) >= scans.length && scans.length > 0;
if (!all) test.skip('what is found does not fall below its floors', 'it takes every scan: TEST_LONG=1');
else
  test('what is found does not fall below its floors, and what is sure is right', () => {
    const share = (of: readonly Judged[]): number => of.filter(({ isRight }) => isRight).length / of.length;
    for (const [field, floor] of Object.entries(FLOORS)) {
      const found = share(judged.filter((one) => one.field === field));
      assert.ok(found >= floor, `${field}: ${found}`);
    }
    const sure = judged.filter(({ confidence }) => confidence >= 0.9);
    assert.ok(sure.length >= scans.length / 2, `only ${sure.length} are sure`);
    assert.ok(share(sure) >= 0.85, `of those that are sure ${share(sure)}`);
  });
