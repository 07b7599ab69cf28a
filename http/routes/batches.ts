import type { Mode } from '../../kernel/scope.ts';
import type { batchQueries } from '../../projections/batches.ts';
import { Batch } from '../../schemas/batches.ts';
import { batchRef } from '../../schemas/parameters.ts';
import { type Route, route } from '../engine/route.ts';
import { batchOf } from './present.ts';

type BatchPorts = Readonly<{
  batches: Pick<ReturnType<typeof batchQueries>, 'find'>;
  batchIdOf(companyId: string, mode: Mode, batchRef: string): string;
}>;

/** Batches of the company and mode (batches-1). */
export const batchRoutes = ({ batches, batchIdOf }: BatchPorts): readonly Route[] => [
  route({
    name: 'getBatch',
    summary: 'The state of a batch and the counts of its sessions',
    description:
      'A batch is the set of sessions created with the same batchRef. It is completed once: when all sessions are processed and the newest is as old as the grace period, five minutes by default. Later sessions raise its counts only.',
    method: 'GET',
    path: '/api/v1/batches/{batchRef}',
    access: 'company',
    parameters: { batchRef },
    answers: { 200: Batch },
  })({
    find: ({ caller, parameters }) =>
      batches.find(batchIdOf(caller.companyId, caller.mode, parameters.batchRef)),
    run: async ({ found, parameters }) => ({ status: 200, body: batchOf(found, parameters.batchRef) }),
  }),
];
