import type { Delivery } from '../../client/index.ts';
import { deliveryStatuses } from '../../domain/webhookDelivery.ts';
import type { deliveryFilters } from '../../schemas/listFilters.ts';
import { deliveryId, limit, oneOf, submission } from '../arguments.ts';
import { type Command, group } from '../commandLine.ts';
import { type FilterOptions, filtersOf, withFilters } from '../listFilters.ts';
import type { Columns } from '../output.ts';
import { onService, overHttp, pageSize, type Service, showRows } from '../overHttp.ts';
import { deliveryText } from '../webhooks.ts';

/** `intake deliveries …`: the webhook deliveries of the key. */
export const addDeliveryCommands = (program: Command): void => {
  const deliveries = group(program, 'deliveries', 'webhook deliveries of your key: list, show, send again');
  const listing = overHttp(deliveries, 'list', 'show the deliveries of the key, newest first', [
    'intake deliveries list --status failed',
    'intake deliveries list --submission sub_01hv6x3m8q2r5t7w9y0a1b2c3d',
  ]);
  withFilters(listing, filters)
    .option('--limit <count>', 'how many at most', limit, 20)
    .action(onService(list));
  overHttp(deliveries, 'show', 'show a delivery and its attempts', [
    'intake deliveries show 01932d8a-7c3e-7f60-9b1a-2f4c6d8e0a1b',
  ])
    .argument('<delivery>', 'its identifier, as the list shows it', deliveryId)
    .action(onService(show));
  overHttp(deliveries, 'redeliver', 'send a delivery again: the same bytes under the same identifier', [
    'intake deliveries redeliver 01932d8a-7c3e-7f60-9b1a-2f4c6d8e0a1b',
  ])
    .argument('<delivery>', 'its identifier, as the list shows it', deliveryId)
    .action(onService(redeliver));
};

const filters = {
  status: [
    '--status <status>',
    `only those that are ${deliveryStatuses.join(', ')}`,
    oneOf(deliveryStatuses),
  ],
  submissionId: ['--submission <id>', 'only those about this submission', submission],
  receiver: ['--receiver <host>', 'only those to this host'],
  sessionId: null,
  eventType: null,
  keyId: null,
  endpointId: null,
  createdAfter: null,
  createdBefore: null,
} as const satisfies FilterOptions<typeof deliveryFilters>;

const columns: Columns<Delivery> = {
  DELIVERY: ({ id }) => id,
  TYPE: ({ eventType }) => eventType,
  SUBMISSION: ({ submissionId }) => submissionId,
  STATUS: ({ status }) => status,
  RECEIVER: ({ receiver }) => receiver,
  CREATED: ({ createdAt }) => createdAt,
  'NEXT ATTEMPT': ({ nextAttemptAt }) => nextAttemptAt,
};

const list = async ({ intake, output }: Service, options: Readonly<{ limit: number }>): Promise<void> => {
  const { limit } = options;
  const query = { ...filtersOf(filters, options), limit: pageSize(limit) };
  const rows = intake.list('/api/v1/webhook-deliveries', { query });
  await showRows(output, rows, limit, columns, 'There is no such delivery.');
};

const show = async ({ intake, output }: Service, deliveryId: string): Promise<void> => {
  const delivery = await intake.get('/api/v1/webhook-deliveries/{deliveryId}', { path: { deliveryId } });
  await output.answer(delivery, () => deliveryText(delivery));
};

const redeliver = async ({ intake, output }: Service, deliveryId: string): Promise<void> => {
  const path = { deliveryId };
  const { count } = await intake.post('/api/v1/webhook-deliveries/{deliveryId}/redeliver', { path });
  await output.answer({ eventId: deliveryId, count }, () =>
    count === 0 ? `${deliveryId} is under way already.` : `${deliveryId} will be sent again at once.`,
  );
};
