import { type WebhookEventType, webhookEventTypes } from '../../domain/webhookEvents.ts';
import { forwardTo, listOf, since } from '../arguments.ts';
import { type Command, WrongUsage } from '../commandLine.ts';
import { type Output, printable } from '../output.ts';
import { onService, overHttp, type Service } from '../overHttp.ts';
import { whileStoppable } from '../signals.ts';
import type { Forwarded } from './forward.ts';
import type { FeedEvent } from './listenFeed.ts';
import { readPlace, writePlace } from './listenPlace.ts';

/** `intake listen`. */
export const addListenCommand = (program: Command): void => {
  overHttp(program, 'listen', 'send the events of the key to an address, as the service delivers them', [
    'intake listen --forward-to http://localhost:4000/webhooks',
    'intake listen --forward-to http://localhost:4000/webhooks --types session.completed,session.failed',
    'intake listen --forward-to http://localhost:4000/webhooks --since 2h',
    'intake listen --print-secret',
  ])
    .option('--forward-to <url>', 'the address that gets them, http or https', forwardTo)
    .option('--types <types>', 'only events of these types, separated by commas', listOf(webhookEventTypes))
    .option('--since <time>', 'start with the events since a time, or since 30m, 2h or 1d ago', since)
    .option('--from-start', 'start with the first event of the key')
    .option('--print-secret', 'print the secrets that its signatures are made with, and end')
    .action(onService(listen, { maxRetries: 0 }));
};

type ListenOptions = Readonly<{
  forwardTo?: string;
  types?: readonly WebhookEventType[];
  since?: string;
  fromStart?: true;
  printSecret?: true;
}>;

const listen = async (service: Service, options: ListenOptions): Promise<void> => {
  const { forwardTo, since, fromStart, printSecret } = options;
  if (printSecret) return printSecrets(service);
  if (forwardTo === undefined) throw new WrongUsage('give --forward-to URL, or --print-secret.', COMMAND);
  if (since !== undefined && fromStart)
    throw new WrongUsage('give --since or --from-start, not both.', COMMAND);
  await whileStoppable((stopped) => forwardAll(service, { ...options, forwardTo }, stopped));
};

const COMMAND = 'intake listen';

const secretsOf = async (key: string) => {
  const [{ hashKey }, { standardWebhooksSecret }] = await Promise.all([
    import('../../stores/credentials.ts'),
    import('../../outbound/sign.ts'),
  ]);
  const webhookSecret = hashKey(key);
  return { webhookSecret, standardWebhooksSecret: standardWebhooksSecret(webhookSecret) };
};

const printSecrets = async ({ account, output }: Service): Promise<void> => {
  const secrets = await secretsOf(account.key);
  const lines = Object.entries(secrets).map(([name, value]) => `${name.padEnd(24)}${value}`);
  await output.answer(secrets, () => lines.join('\n'));
};

type Forwarding = ListenOptions & Readonly<{ forwardTo: string }>;

/** Sends event after event until it is stopped: the place behind each is kept before the next one is sent. */
const forwardAll = async (
  { account, intake, output }: Service,
  { forwardTo, types = [], since, fromStart }: Forwarding,
  stopped: AbortSignal,
): Promise<void> => {
  const [{ createForward }, { follow }] = await Promise.all([
    import('./forward.ts'),
    import('./listenFeed.ts'),
  ]);
  const { webhookSecret: secret } = await secretsOf(account.key);
  const listener = { url: account.url, secret, types, forwardTo };
  const place = since === undefined && !fromStart ? readPlace(listener) : null;
  const from = since ?? (fromStart ? null : 'now');
  output.notice(`Events of ${account.url} ${startText(place !== null, from)} go to ${forwardTo}.`);
  const forward = createForward({ url: forwardTo, secret });
  try {
    for await (const step of follow(intake, { place, from, types }, output.notice, stopped)) {
      const { event } = step;
      if (event !== null) await report(output, event, await forward.send(event, output.notice, stopped));
      writePlace(listener, step.place);
    }
  } catch (error) {
    if (!stopped.aborted) throw error;
  } finally {
    await forward.close();
  }
};

const startText = (goesOn: boolean, from: string | null): string => {
  if (goesOn) return 'since the last run';
  if (from === null) return 'from the first one on';
  return from === 'now' ? 'from now on' : `since ${from}`;
};

const report = (output: Output, event: FeedEvent, outcome: Forwarded): Promise<void> => {
  const { eventId, eventType, occurredAt, submissionId, batchRef } = event;
  const { statusCode, durationMs, error, attempts, delivered } = outcome;
  const named = { eventId, eventType, occurredAt, submissionId, batchRef };
  return output.answer({ ...named, delivered, statusCode, durationMs, error, attempts }, () => {
    const end = delivered ? `${statusCode}` : `given up after ${attempts} attempts: ${error}`;
    const what = `${occurredAt}  ${eventType.padEnd(31)}  ${submissionId ?? batchRef}`;
    return `${printable(what)}  ${end}  ${durationMs} ms`;
  });
};
