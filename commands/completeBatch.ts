import { batch, batchStream, type CompleteBatch, isComplete } from '../domain/batch.ts';
import { type CommandPorts, systemContext } from './handle.ts';

/** A batch as the read models have it. */
type WaitingBatch = Pick<CompleteBatch, 'companyId' | 'mode' | 'counts' | 'createdAt' | 'newestAt'> &
  Readonly<{ id: string; batchRef: string }>;

/** A session of a batch. */
type Member = Readonly<{ id: string; keyId: string; createdAt: string; webhookUrl: string | null }>;

type CompleteBatchPorts = CommandPorts &
  Readonly<{
    /**
     * The newest session in a batch's set, or of those that have left it; and the newest of these with a
     * webhookUrl.
     */
    newest(batchId: string, hasLeft: boolean): Promise<Member | null>;
    newestNotified(batchId: string, hasLeft: boolean): Promise<Member | null>;
    /** The age that the newest session must have, in milliseconds. */
    graceMs: number;
  }>;

/**
 * Completes a batch if it is complete (batches-7). The read models must include the log as of the sweep's
 * start. The event must be the first of its stream, so that concurrent sweeps append one.
 */
export const completeBatch =
  ({ handle, clock, ids, newest, newestNotified, graceMs }: CompleteBatchPorts) =>
  async (waiting: WaitingBatch): Promise<void> => {
    const isEmpty = waiting.counts.total === 0;
    const last = await newest(waiting.id, isEmpty);
    if (last === null) return;
    const recipient = (await newestNotified(waiting.id, isEmpty)) ?? last;
    const { id: batchId, companyId, mode, counts, createdAt, batchRef } = waiting;
    const command: CompleteBatch = {
      type: 'CompleteBatch',
      batchId,
      companyId,
      mode,
      submissionId: recipient.id,
      keyId: recipient.keyId,
      notifies: recipient.webhookUrl !== null,
      counts,
      createdAt,
      completedAt: clock.now().toISOString(),
      newestAt: isEmpty ? waiting.newestAt : last.createdAt,
      graceMs,
      private: { batchRef, webhookUrl: recipient.webhookUrl },
    };
    // The newest session may have left: then the grace of the next one counts, which may not have passed.
    if (isComplete(command)) await handle(batch, batchStream(batchId), command, systemContext('sweep', ids));
  };
