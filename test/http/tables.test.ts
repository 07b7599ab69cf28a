import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import type { Client } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('tables of submissions');
let service: TestService;
test.before(async () => {
  service = await sharedService();
});

const column = (name: string, type: string, required = true) => ({ name, type, required });
const definition = {
  ...receiptDefinition,
  slug: 'bill',
  outputSchema: [
    { name: 'total', required: false, type: 'number' },
    {
      ...{ name: 'items', required: true, type: 'table' },
      columns: [
        column('description', 'string'),
        column('quantity', 'number', false),
        column('amount', 'number'),
      ],
    },
  ],
  processing: { review: 'always' },
};
const line = (...cells: readonly string[]): string => cells.map((cell) => cell.padEnd(30)).join('');
const content = [
  line('Description', 'Quantity', 'Amount'),
  line('Steel bolts', '2', '9.50'),
  line('Brass nuts', '10', '3.00'),
  line('Total', '', '12.50'),
].join('\n');
const bolts = { description: 'Steel bolts', quantity: 2, amount: 9.5 };
const nuts = { description: 'Brass nuts', quantity: 10, amount: 3 };

const inReview = async (api: Client): Promise<string> => {
  const job = await api.process([{ content, mimeType: 'text/plain' }], {}, 'bill');
  assert.is(job.submissionStatus, 'review', JSON.stringify(job));
  return job.submissionId;
};

test('a table is read as rows, found by words in them, and corrected as a whole, a cell at a time [tables-2] [tables-4]', async () => {
  const { api } = await service.company(definition);
  const id = await inReview(api);
  const path = `/api/v1/submissions/${id}`;
  const { body: read } = await api.get(path);
  assert.equal(read.extractedData, { total: 12.5, items: [bolts, nuts] });
  assert.type(read.fieldConfidences.items, 'number');
  const approve = (items: unknown) => api.post(`${path}/approve`, { corrections: { items } });
  const refused = await approve([bolts, { description: 7, amount: null, price: 1 }]);
  assert.is(refused.status, 422);
  assert.equal(
    refused.body.errors.map(({ pointer }: Readonly<{ pointer: string }>) => pointer).sort(),
    ['amount', 'description', 'price'].map((name) => `/corrections/items/1/${name}`),
  );
  const items = [{ ...bolts, amount: 12.5 }];
  assert.is((await approve(items)).status, 200);
  const { body: approved } = await api.get(path);
  assert.equal(approved.extractedData.items, items);
  assert.equal(approved.corrections[0].machineValue, [bolts, nuts]);
  const { body: found } = await api.get('/api/v1/submissions?q=bolts');
  assert.equal(
    found.data.map((one: Readonly<{ id: string }>) => one.id),
    [id],
  );
});

test('a table of more than 1,000 rows is refused [tables-3]', async () => {
  const { api } = await service.company(definition);
  const items = Array.from({ length: 1_001 }, () => bolts);
  const { status } = await api.post(`/api/v1/submissions/${await inReview(api)}/approve`, {
    corrections: { items },
  });
  assert.is(status, 422);
});
