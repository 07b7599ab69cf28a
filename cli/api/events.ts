import type { EventFeed, EventsOptions, IntakeClient } from '../../client/index.ts';
import { type WebhookEventType, webhookEventTypes } from '../../domain/webhookEvents.ts';
import { listOf, oneOf } from '../arguments.ts';
import { type Command, group } from '../commandLine.ts';
import { printable } from '../output.ts';
import { given, onService, overHttp, type Service } from '../overHttp.ts';
import { whileStoppable } from '../signals.ts';

const STARTS = ['start', 'now'] as const;

/** `intake events tail`: the event feed of the key. */
export const addEventCommands = (program: Command): void => {
  const events = group(program, 'events', 'the event feed of your key');
  overHttp(events, 'tail', 'print the events of the key, oldest first; with --json one line an event', [
    'intake events tail',
    'intake events tail --follow --types session.completed,session.failed',
    'intake events tail --follow --from start --json | jq -c "{eventType, submissionId}"',
  ])
    .option('--types <types>', 'only events of these types, separated by commas', listOf(webhookEventTypes))
    .option('--follow', 'go on with new events until Ctrl-C')
    .option('--from <start>', 'start, or now: the default with --follow', oneOf(STARTS))
    .action(onService(tail, { maxRetries: 15 }));
};

type TailOptions = Readonly<{
  types?: readonly WebhookEventType[];
  follow?: true;
  from?: (typeof STARTS)[number];
}>;

const tail = ({ intake, output }: Service, options: TailOptions): Promise<void> => {
  const { types, follow = false, from = follow ? 'now' : 'start' } = options;
  return whileStoppable(async (signal) => {
    const first = given({ types, from: from === 'now' ? from : undefined, signal });
    try {
      for await (const event of follow ? followed(intake, first) : stored(intake, first))
        await output.answer(event, () => line(event));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });
};

type FeedEvent = EventFeed['data'][number];

/** What there is. */
const stored = (intake: IntakeClient, { signal, types, ...start }: EventsOptions) =>
  intake.list('/api/v1/events', {
    query: given({ ...start, types: types?.join() }),
    ...given({ signal }),
  });

/** What there is, and what comes. */
async function* followed(intake: IntakeClient, options: EventsOptions): AsyncGenerator<FeedEvent, void> {
  for await (const { event } of intake.events(options)) yield event;
}

const line = ({ occurredAt, eventType, submissionId, submissionStatus, eventId }: FeedEvent): string =>
  [occurredAt, eventType, submissionId ?? '-', submissionStatus ?? '-', eventId].map(printable).join('  ');
