import { deliveryStatuses } from '../domain/webhookDelivery.ts';
import { DomainError } from '../kernel/decider.ts';
import type { DeliveryDocument } from '../projections/deliveries.ts';
import { collect } from '../projections/engine/pages.ts';
import { deliveryId, limit, oneOf } from './arguments.ts';
import { type Command, group, leaf } from './commandLine.ts';
import { type Columns, printable, table } from './output.ts';
import type { Runtime } from './runtime.ts';
import { onStores, type Stores } from './stores.ts';

/** `intake webhooks …`: the deliveries. */
export const addWebhookCommands = (program: Command, runtime: Runtime): void => {
  const webhooks = group(program, 'webhooks', 'webhook deliveries with every attempt');
  leaf(webhooks, 'list', 'show deliveries, newest first', [
    'intake webhooks list --status failed',
    'intake webhooks list --limit 1000 --json',
  ])
    .option(
      '--status <status>',
      `only those that are ${deliveryStatuses.join(', ')}`,
      oneOf(deliveryStatuses),
    )
    .option('--limit <count>', 'how many at most', limit, 100)
    .action(onStores(runtime, list));
  leaf(webhooks, 'show', 'show one delivery and its attempts', [
    'intake webhooks show 01932d8a-7c3e-7f60-9b1a-2f4c6d8e0a1b',
  ])
    .argument('<delivery>', 'its identifier, as the list shows it', deliveryId)
    .action(onStores(runtime, show));
  leaf(webhooks, 'redeliver', 'send a delivery again: the same bytes under the same identifier', [
    'intake webhooks redeliver 01932d8a-7c3e-7f60-9b1a-2f4c6d8e0a1b',
  ])
    .argument('<delivery>', 'its identifier, as the list shows it', deliveryId)
    .action(onStores(runtime, redeliverOne));
};

/** A table of deliveries. */
export const deliveryColumns: Columns<DeliveryDocument> = {
  DELIVERY: ({ id }) => id,
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

const list = async (
  { core, output, upToDate }: Stores,
  { status: only, limit: most }: Readonly<{ status?: string; limit: number }>,
): Promise<void> => {
  await upToDate();
  const where = only === undefined ? {} : { status: only };
  const page = core.deliveries.list;
  const { items, more } = await collect((count, after) => page(where, count, after), most);
  await output.list(items, deliveryColumns, 'There is no such delivery.');
  if (more) output.notice(`There are more than these ${items.length}: --limit shows up to 10000.`);
};

const attemptColumns: Columns<Attempt> = {
  AT: ({ at }) => at,
  ANSWER: ({ statusCode }) => statusCode,
  MS: ({ durationMs }) => durationMs,
  ERROR: ({ error }) => error,
};

const show = async ({ core, output, upToDate }: Stores, id: string): Promise<void> => {
  await upToDate();
  const delivery = await core.deliveries.find(id);
  if (!delivery) throw new DomainError('WebhookDeliveryNotFound', `There is no delivery ${id}.`);
  await output.answer(delivery, () => deliveryText(delivery));
};

/** A delivery with its attempts. */
export const deliveryText = async <D extends Readonly<{ attempts: readonly Attempt[] }>>({
  attempts,
  ...facts
}: D): Promise<string> => {
  const lines = Object.entries(facts).map(
    ([name, value]) => `${name.padEnd(14)}${printable(String(value ?? '-'))}`,
  );
  const made = attempts.length === 0 ? 'No attempt yet.' : await table(attempts, attemptColumns);
  return [...lines, '', made].join('\n');
};

const redeliverOne = async ({ core, output, context, visible }: Stores, id: string): Promise<void> => {
  const { redeliver } = await import('../commands/redeliver.ts');
  const { count, position } = await redeliver(core.handle)(id, context);
  await visible(position);
  await output.answer({ eventId: id, count }, () =>
    count === 0 ? `${id} is under way already.` : `${id} will be sent again at once, by a running server.`,
  );
};
