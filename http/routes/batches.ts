import { REDACTED } from '../../kernel/event.ts';
import { pick } from '../../kernel/pick.ts';
import type { Mode } from '../../kernel/scope.ts';
import type { BatchDocument, batchQueries } from '../../projections/batches.ts';
import { Batch, BatchPage } from '../../schemas/batches.ts';
import { batchFilters } from '../../schemas/listFilters.ts';
import { batchRef, cursor, limit } from '../../schemas/parameters.ts';
import { givenFilters, pageOf } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { batchOf } from './present.ts';

type BatchPorts = Readonly<{
  batches: Pick<ReturnType<typeof batchQueries>, 'find' | 'list'>;
  batchIdOf(companyId: string, mode: Mode, batchRef: string): string;
}>;

/** Batches of the company and mode (batches-1). */
export const batchRoutes = ({ batches, batchIdOf }: BatchPorts): readonly Route[] => [
  route({
    name: 'listBatches',
    summary: 'List the batches of the company, newest first',
    description: 'A batch exists from the first session that names it in `batchRef`.',
    method: 'GET',
    path: '/api/v1/batches',
    access: 'submissions.read',
    query: { ...batchFilters, cursor, limit },
    answers: { 200: BatchPage },
  })({
    run: async ({ caller, query: { cursor, limit, ...filters } }) => {
      const own = pick(caller, 'companyId', 'mode');
      const read = (limit: number, after: Parameters<typeof batches.list>[2]) =>
        batches.list({ ...givenFilters(filters), ...own }, limit, after);
      const scope = { list: 'batches', ...own, ...filters };
      return { status: 200, body: await pageOf({ cursor, limit }, scope, read, rowOf) };
    },
  }),
  route({
    name: 'getBatch',
    summary: 'The state of a batch and the counts of its sessions',
    description:
      'A batch is the set of sessions created with the same batchRef. It is completed once: when all sessions are processed and the newest is as old as the grace period, five minutes by default. Later sessions raise its counts only.',
    method: 'GET',
    path: '/api/v1/batches/{batchRef}',
    access: 'submissions.read',
    parameters: { batchRef },
    answers: { 200: Batch },
  })({
    find: ({ caller, parameters }) =>
      batches.find(batchIdOf(caller.companyId, caller.mode, parameters.batchRef)),
    run: async ({ found, parameters }) => ({ status: 200, body: batchOf(found, parameters.batchRef) }),
  }),
];

const rowOf = (document: BatchDocument) =>
  batchOf(document, document.batchRef === REDACTED ? null : document.batchRef);
