import type { Batch, BatchRow } from '../../client/index.ts';
import { batchStatuses } from '../../schemas/batches.ts';
import type { batchFilters } from '../../schemas/listFilters.ts';
import { limit, oneOf } from '../arguments.ts';
import { type Command, group } from '../commandLine.ts';
import { type FilterOptions, filtersOf, withFilters } from '../listFilters.ts';
import type { Columns } from '../output.ts';
import { onService, overHttp, pageSize, type Service, showRows } from '../overHttp.ts';

/** `intake batches …`: sessions that belong together. */
export const addBatchCommands = (program: Command): void => {
  const batches = group(program, 'batches', 'batches: how many of their sessions are processed');
  const about = 'show batches, newest first';
  withFilters(overHttp(batches, 'list', about, ['intake batches list --status open']), filters)
    .option('--limit <count>', 'how many at most', limit, 20)
    .action(onService(list));
  overHttp(batches, 'show', 'show the state of a batch and the counts of its sessions', [
    'intake batches show 2026-11',
    'intake batches show 2026-11 --json | jq .counts.review',
  ])
    .argument('<batch>', 'the batchRef that its sessions were opened with')
    .action(onService(show));
};

const filters = {
  status: ['--status <status>', `only those that are ${batchStatuses.join(' or ')}`, oneOf(batchStatuses)],
  createdAfter: null,
  createdBefore: null,
} as const satisfies FilterOptions<typeof batchFilters>;

const columns: Columns<BatchRow> = {
  BATCH: ({ batchRef }) => batchRef,
  STATUS: ({ status }) => status,
  TOTAL: ({ counts }) => counts.total,
  PROCESSED: ({ counts }) => counts.processed,
  REVIEW: ({ counts }) => counts.review,
  FAILED: ({ counts }) => counts.failed,
  APPROVED: ({ counts }) => counts.approved,
  CREATED: ({ createdAt }) => createdAt,
};

const list = async ({ intake, output }: Service, options: Readonly<{ limit: number }>): Promise<void> => {
  const { limit } = options;
  const query = { ...filtersOf(filters, options), limit: pageSize(limit) };
  await showRows(
    output,
    intake.list('/api/v1/batches', { query }),
    limit,
    columns,
    'There is no such batch.',
  );
};

const show = async ({ intake, output }: Service, batchRef: string): Promise<void> => {
  const batch = await intake.get('/api/v1/batches/{batchRef}', { path: { batchRef } });
  await output.answer(batch, () => batchText(batch));
};

const batchText = ({ batchRef, status, counts, completedAt }: Batch): string =>
  [
    `${batchRef} is ${status}${completedAt === null ? '' : `, since ${completedAt}`}.`,
    ...Object.entries(counts).map(([name, count]) => `${name.padEnd(11)}${count}`),
  ].join('\n');
