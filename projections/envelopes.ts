import type { BatchEvent } from '../domain/batch.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import { evolve, type Submission } from '../domain/submission/state.ts';
import { batchEnvelope, webhookEnvelope, webhookTypeOf } from '../domain/webhookEvents.ts';
import type { Recorded } from '../kernel/event.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { FeedItem } from './feed.ts';

type Told = SubmissionEvent | BatchEvent;
type Envelope = ReturnType<typeof webhookEnvelope> | ReturnType<typeof batchEnvelope>;

/** The envelopes of these events, made from their streams as the delivered ones are: what was redacted since reads as that. */
export const envelopes =
  (log: Pick<EventLog, 'load'>) =>
  async (items: readonly Pick<FeedItem, 'stream' | 'revision'>[]): Promise<readonly Envelope[]> => {
    const streams = new Map(
      [...new Set(items.map(({ stream }) => stream))].map((stream) => [stream, log.load(stream)]),
    );
    return Promise.all(
      items.map(async ({ stream, revision }) => {
        const { events } = (await streams.get(stream)) ?? { events: [] };
        const past = events.filter((event) => event.revision <= revision);
        // Another release's, which this one does not know: what comes before it must not be told in its place.
        if (past.at(-1)?.revision !== revision) throw new Error(`${stream} tells of nothing at ${revision}`);
        // A stream of these categories holds events of theirs only.
        return envelopeOf(past as readonly Recorded<Told>[]);
      }),
    );
  };

const envelopeOf = (past: readonly Recorded<Told>[]): Envelope => {
  const event = past.at(-1);
  if (event?.type === 'BatchCompleted') return batchEnvelope(event);
  const eventType = event && webhookTypeOf(event);
  const state = (past as readonly Recorded<SubmissionEvent>[]).reduce<Submission | null>(evolve, null);
  if (!event || !eventType || !state) throw new Error(`${event?.stream} tells of nothing there`);
  return webhookEnvelope(event, eventType, state);
};
