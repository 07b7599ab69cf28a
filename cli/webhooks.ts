import { deliveryStatuses } from '../domain/webhookDeliveryEvents.ts';
import { DomainError } from '../kernel/decider.ts';
import type { DeliveryDocument } from '../projections/deliveries.ts';
import { collect } from '../projections/engine/pages.ts';
import type { FailingReceiver, Recovered } from '../schemas/webhooks.ts';
import { companyId, deliveryId, host, limit, oneOf, since } from './arguments.ts';
import { type Command, group, leaf } from './commandLine.ts';
import { type Columns, type Output, printable, table } from './output.ts';
import type { Runtime } from './runtime.ts';
import { onStores, type Stores } from './stores.ts';

/** `intake webhooks …`: the deliveries. */
export const addWebhookCommands = (program: Command, runtime: Runtime): void => {
  const webhooks = group(program, 'webhooks', 'webhook deliveries with every attempt: list, send again');
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
  leaf(webhooks, 'failing-receivers', `show where deliveries of all companies have failed, ${LATELY}`, [
    'intake webhooks failing-receivers',
  ]).action(onStores(runtime, listFailing));
  leaf(webhooks, 'recover', `send failed deliveries again, ${SOME}`, [
    'intake webhooks recover --since 2h',
    'intake webhooks recover --since 2026-11-21T10:46:00Z --receiver erp.example.com',
  ])
    .requiredOption('--since <time>', RECOVERED_SINCE, since)
    .option('--receiver <host>', 'only those to this host', host)
    .option('--company <id>', 'only those of this company', companyId)
    .action(onStores(runtime, recoverSome));
};

/** Of what the failing receivers are told, and how many one call recovers. */
export const LATELY = 'most first: of the newest 1,000 of the last seven days';
export const SOME = 'oldest first: up to 1,000';
export const RECOVERED_SINCE = 'those requested since a time, or since 30m, 2h or 1d ago';

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

/** A table of attempts. */
export const attemptColumns: Columns<Attempt> = {
  AT: ({ at }) => at,
  STATUS: ({ statusCode }) => statusCode,
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
export const deliveryText = async <A extends Attempt>(
  { attempts, ...facts }: Readonly<{ attempts: readonly A[] }>,
  columns: Columns<A> = attemptColumns,
): Promise<string> => {
  const lines = Object.entries(facts).map(
    ([name, value]) => `${name.padEnd(14)}${printable(String(value ?? '-'))}`,
  );
  const made = attempts.length === 0 ? 'No attempt yet.' : await table(attempts, columns);
  return [...lines, '', made].join('\n');
};

const redeliverOne = async ({ core, output, context, visible }: Stores, id: string): Promise<void> => {
  const { redeliver } = await import('../commands/redeliver.ts');
  const { count, position } = await redeliver(core)(id, context);
  await visible(position);
  await output.answer({ eventId: id, count }, () =>
    count === 0 ? `${id} is under way already.` : `${id} will be sent again at once, by a running server.`,
  );
};

/** A table of receivers at which deliveries have failed. */
export const failingColumns: Columns<FailingReceiver> = {
  RECEIVER: ({ receiver }) => receiver,
  FAILED: ({ count }) => count,
  SINCE: ({ since }) => since,
};

export const NO_FAILING = 'No delivery has failed lately.';

const listFailing = async ({ core, output, upToDate }: Stores): Promise<void> => {
  const { failingReceivers } = await import('../projections/failingReceivers.ts');
  await upToDate();
  const rows = await failingReceivers(core.deliveries)({}, core.clock.now());
  const columns: Columns<(typeof rows)[number]> = {
    COMPANY: ({ companyId }) => companyId,
    MODE: ({ mode }) => mode,
    ...failingColumns,
  };
  await output.list(rows, columns, NO_FAILING);
};

type Chosen = Readonly<{ since: string; receiver?: string; company?: string }>;

const recoverSome = async (
  { core, output, context, visible, upToDate }: Stores,
  { since: createdAfter, receiver, company: companyId }: Chosen,
): Promise<void> => {
  const { recover } = await import('../commands/redeliver.ts');
  await upToDate();
  const where = {
    ...{ status: 'failed', createdAfter },
    ...(receiver !== undefined && { receiver }),
    ...(companyId !== undefined && { companyId }),
  };
  const page: Parameters<ReturnType<typeof recover>>[0] = (limit, after) =>
    core.deliveries.oldest(where, limit, after);
  const { position, ...recovered } = await recover(core)(page, context);
  await visible(position);
  await answerRecovered(output, recovered, ', by a running server');
};

/** How many deliveries will be sent again, and how to go on where there are more. */
export const answerRecovered = async (output: Output, recovered: Recovered, by = ''): Promise<void> => {
  const { count, next } = recovered;
  await output.answer(recovered, () =>
    count === 0 ? 'There is none to send again.' : `${count} will be sent again at once${by}.`,
  );
  if (next !== null) output.notice(`There are more: --since ${next} continues.`);
};
