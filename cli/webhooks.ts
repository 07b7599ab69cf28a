import type { DeliveryDocument } from '../projections/deliveries.ts';
import { collect } from '../projections/engine/pages.ts';
import { eventId, limit } from './arguments.ts';
import { type Command, type Common, group, InvalidArgumentError, leaf } from './commandLine.ts';
import { CommandFailed } from './failure.ts';
import { type Columns, printable } from './output.ts';
import type { Runtime } from './runtime.ts';
import { withStores } from './stores.ts';

const STATUSES: readonly string[] = ['pending', 'delivered', 'failed'];

/** `intake webhooks …`: the deliveries. */
export const addWebhookCommands = (program: Command, runtime: Runtime): void => {
  const webhooks = group(program, 'webhooks', 'webhook deliveries with every attempt');
  leaf(webhooks, 'list', 'show deliveries, newest first', [
    'intake webhooks list --status failed',
    'intake webhooks list --limit 1000 --json',
  ])
    .option('--status <status>', `only those that are ${STATUSES.join(', ')}`, status)
    .option('--limit <count>', 'how many at most', limit, 100)
    .action(list(runtime));
  leaf(webhooks, 'show', 'show one delivery and its attempts', [
    'intake webhooks show 01932d8a-7c3e-7f60-9b1a-2f4c6d8e0a1b',
  ])
    .argument('<event>', 'the identifier of its event', eventId)
    .action(show(runtime));
  leaf(webhooks, 'redeliver', 'send a delivery again: the same bytes under the same identifier', [
    'intake webhooks redeliver 01932d8a-7c3e-7f60-9b1a-2f4c6d8e0a1b',
  ])
    .argument('<event>', 'the identifier of its event', eventId)
    .action(redeliverOne(runtime));
};

const status = (text: string): string => {
  if (STATUSES.includes(text)) return text;
  throw new InvalidArgumentError(`It must be one of ${STATUSES.join(', ')}.`);
};

/** A table of deliveries. */
export const deliveryColumns: Columns<DeliveryDocument> = {
  EVENT: ({ id }) => id,
  TYPE: ({ eventType }) => eventType,
  SUBMISSION: ({ submissionId }) => submissionId,
  STATUS: (delivery) => delivery.status,
  ATTEMPTS: ({ attempts }) => attempts.length,
  'NEXT ATTEMPT': ({ nextAttemptAt }) => nextAttemptAt,
  'LAST OUTCOME': ({ attempts }) => outcomeOf(attempts.at(-1)),
};

type Attempt = DeliveryDocument['attempts'][number];

const outcomeOf = (attempt: Attempt | undefined): string | null =>
  attempt === undefined ? null : (attempt.error ?? `${attempt.statusCode}`);

type ListOptions = Common & Readonly<{ status?: string; limit: number }>;

const list =
  (runtime: Runtime) =>
  (options: ListOptions): Promise<void> => {
    const where: Readonly<Record<string, string>> =
      options.status === undefined ? {} : { status: options.status };
    return withStores(runtime, options, async ({ core, output, upToDate }) => {
      await upToDate();
      const page = core.deliveries.list;
      const { items, more } = await collect((count, after) => page(where, count, after), options.limit);
      await output.list(items, deliveryColumns, 'There is no such delivery.');
      if (more) output.notice(`There are more than these ${items.length}: --limit shows up to 10000.`);
    });
  };

const attemptColumns: Columns<Attempt> = {
  AT: ({ at }) => at,
  ANSWER: ({ statusCode }) => statusCode,
  MS: ({ durationMs }) => durationMs,
  ERROR: ({ error }) => error,
};

const show =
  (runtime: Runtime) =>
  (id: string, options: Common): Promise<void> =>
    withStores(runtime, options, async ({ core, output, upToDate }) => {
      await upToDate();
      const delivery = await core.deliveries.find(id);
      if (!delivery) {
        const hint = '`intake webhooks list` shows them.';
        throw new CommandFailed('webhook-delivery-not-found', `There is no delivery ${id}.`, hint);
      }
      await output.answer(delivery, () => deliveryText(delivery));
    });

const deliveryText = async ({ attempts, ...facts }: DeliveryDocument): Promise<string> => {
  const { table } = await import('./table.ts');
  const lines = Object.entries(facts).map(([name, value]) => `${name.padEnd(14)}${printable(value ?? '-')}`);
  return [...lines, '', attempts.length === 0 ? 'No attempt yet.' : table(attempts, attemptColumns)].join(
    '\n',
  );
};

const redeliverOne =
  (runtime: Runtime) =>
  (id: string, options: Common): Promise<void> =>
    withStores(runtime, options, async ({ core, output, context, visible }) => {
      const { redeliver } = await import('../commands/redeliver.ts');
      const { count, position } = await redeliver(core.handle)(id, context);
      await visible(position);
      await output.answer({ eventId: id, count }, () =>
        count === 0
          ? `${id} is under way already.`
          : `${id} will be sent again at once, by a running server.`,
      );
    });
