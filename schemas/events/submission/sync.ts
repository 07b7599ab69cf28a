import { closed, nullable, Type } from '../../../kernel/schema.ts';
import type { EventEntry } from '../event.ts';
import { change, routing, text, time, whole } from '../parts.ts';

const TARGET = 'the origin of the sync target of its workflow version';

/** What an approval says of the sync that is to follow it. */
export const owed = { syncTo: Type.Optional(text(`${TARGET}; absent where the data go nowhere`)) };

const writtenBy = ['reactors/syncSubmissions.ts'];

/** What the sync tells that follows an approval. */
export const syncEvents = {
  SubmissionSynced: {
    about: 'Its approved data have reached the target of its workflow.',
    writtenBy: [...writtenBy, 'reactors/processSubmissions.ts'],
    versions: [closed({ ...routing, ...change })],
  },
  SubmissionSyncFailed: {
    about: 'An attempt to send its approved data to the target of its workflow has failed.',
    writtenBy,
    versions: [
      closed({
        ...routing,
        attempt: whole('the attempt, from 1, counted over all'),
        statusCode: nullable(whole('what the target answered; null when no answer came')),
        durationMs: whole('what the attempt took, in milliseconds'),
        error: text('what was wrong, without any address'),
        nextAttemptAt: nullable(time('when the next attempt is due; null when it was given up')),
      }),
    ],
  },
  SubmissionSyncRequested: {
    about: 'An operator asked for the same data to be sent again, with the whole schedule before them.',
    writtenBy: ['cli/submissions.ts'],
    versions: [
      closed({ ...routing, syncTo: text(TARGET), attempts: whole('how many attempts were made before') }),
    ],
  },
} as const satisfies Readonly<Record<string, EventEntry>>;
