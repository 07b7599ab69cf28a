import { batch, batchStream, type CompleteBatch, type Counts, isComplete } from '../domain/batch.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Mode } from '../kernel/scope.ts';
import { type Handle, unasked } from './handle.ts';

/** A batch as the read models show it. */
type WaitingBatch = Readonly<{
  id: string;
  companyId: string;
  mode: Mode;
  batchRef: string;
  counts: Counts;
  createdAt: string;
  newestAt: string;
}>;

/** A session of a batch. */
type Member = Readonly<{ id: string; keyId: string; createdAt: string; webhookUrl: string | null }>;

type CompleteBatchPorts = Readonly<{
  handle: Handle;
  clock: Clock;
  ids: Ids;
  /**
   * The newest session in a batch's set, or of those that have left it, and the newest one of these that has
   * a webhookUrl.
   */
  newest(batchId: string, left: boolean): Promise<Member | null>;
  newestNotified(batchId: string, left: boolean): Promise<Member | null>;
  /** How old the newest session must be, in milliseconds. */
  graceMs: number;
}>;

/**
 * Completes a batch if it is complete by now (batches-7), nothing otherwise. The read models must show the
 * log as it was when the sweep began. The event must be its stream's first: of all who try, one does it.
 */
export const completeBatch =
  ({ handle, clock, ids, newest, newestNotified, graceMs }: CompleteBatchPorts) =>
  async (waiting: WaitingBatch): Promise<void> => {
    const isEmpty = waiting.counts.total === 0;
    const last = await newest(waiting.id, isEmpty);
    if (last === null) return;
    const told = (await newestNotified(waiting.id, isEmpty)) ?? last;
    const { id: batchId, companyId, mode, counts, createdAt, batchRef } = waiting;
    const command: CompleteBatch = {
      type: 'CompleteBatch',
      batchId,
      companyId,
      mode,
      submissionId: told.id,
      keyId: told.keyId,
      notifies: told.webhookUrl !== null,
      counts,
      createdAt,
      completedAt: clock.now().toISOString(),
      newestAt: isEmpty ? waiting.newestAt : last.createdAt,
      graceMs,
      private: { batchRef, webhookUrl: told.webhookUrl },
    };
    // The newest session may have left: then the next one's grace counts, and it may not be over.
    if (isComplete(command)) await handle(batch, batchStream(batchId), command, unasked('sweep', ids));
  };
