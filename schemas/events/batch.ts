import { batch } from '../../domain/batch.ts';
import { closed, meaning, nullable, Type } from '../../kernel/schema.ts';
import type { StreamEntry } from './event.ts';
import { CompanyId, KeyId, Mode, privately, SubmissionId, text, time, whole } from './parts.ts';

/** A batch's one event. */
export const batchEvents = {
  category: batch.category,
  events: {
    BatchCompleted: {
      about:
        'Every session of the batch has been processed, and the newest is as old as the grace; or all have left it, the last as long ago.',
      writtenBy: ['commands/completeBatch.ts'],
      versions: [
        closed({
          batchId: text('an HMAC of company, mode and batchRef'),
          companyId: CompanyId,
          mode: Mode,
          submissionId: meaning(
            SubmissionId,
            'the newest session in the set that has a webhookUrl, else the newest one; of those that have left where all have',
          ),
          keyId: meaning(KeyId, 'the key that opened that session'),
          notifies: Type.Boolean({ description: 'whether that session has a webhookUrl' }),
          counts: closed({
            total: whole('the sessions in the set'),
            processed: whole('those that were ever processed'),
            review: whole('those in review now'),
            failed: whole('those in failed or capture_quality_blocked now'),
            approved: whole('those in approved or synced now'),
          }),
          createdAt: time('when its first session was opened'),
          completedAt: time('when it was found complete'),
          private: privately({
            batchRef: text('what the client calls it'),
            webhookUrl: nullable(text('where its webhook goes')),
          }),
        }),
      ],
    },
  },
} as const satisfies StreamEntry;
