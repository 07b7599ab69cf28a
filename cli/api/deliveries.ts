import type { Delivery, DeliveryDetail } from '../../client/index.ts';
import { deliveryStatuses } from '../../domain/webhookDeliveryEvents.ts';
import type { deliveryFilters } from '../../schemas/listFilters.ts';
import { deliveryId, host, limit, oneOf, since, submission } from '../arguments.ts';
import { type Command, group } from '../commandLine.ts';
import { type FilterOptions, filtersOf, withFilters } from '../listFilters.ts';
import { type Columns, firstLine, table } from '../output.ts';
import { given, onService, overHttp, pageSize, type Service, showRows } from '../overHttp.ts';
import {
  answerRecovered,
  attemptColumns,
  deliveryText,
  failingColumns,
  LATELY,
  NO_FAILING,
  RECOVERED_SINCE,
  SOME,
} from '../webhooks.ts';

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
  overHttp(deliveries, 'failing-receivers', `show where deliveries of the key have failed, ${LATELY}`, [
    'intake deliveries failing-receivers',
  ]).action(onService(listFailing));
  overHttp(deliveries, 'recover', `send failed deliveries of the key again, ${SOME}`, [
    'intake deliveries recover --since 2h',
    'intake deliveries recover --since 2026-11-21T10:46:00Z --receiver erp.example.com',
  ])
    .requiredOption('--since <time>', RECOVERED_SINCE, since)
    .option('--receiver <host>', 'only those to this host', host)
    .action(onService(recover));
};

const filters = {
  status: [
    '--status <status>',
    `only those that are ${deliveryStatuses.join(', ')}`,
    oneOf(deliveryStatuses),
  ],
  submissionId: ['--submission <id>', 'only those about this submission', submission],
  receiver: ['--receiver <host>', 'only those to this host', host],
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
  await output.answer(delivery, async () => deliveryText(delivery, await columnsOf(delivery.attempts)));
};

type Attempt = DeliveryDetail['attempts'][number];

/** Of a terminal that has none. */
const PIPED_COLUMNS = 120;
/** So much of an answer is shown however narrow the terminal is. */
const MIN_ANSWER = 16;

/** The columns of attempts; how the answer begins takes what is left of the terminal's width. */
const columnsOf = async (attempts: readonly Attempt[]): Promise<Columns<Attempt>> => {
  const columns: Columns<Attempt> = { ...attemptColumns, RECEIVER: ({ receiver }) => receiver };
  const lines = (await table(attempts, columns)).split('\n');
  const taken = Math.max(...lines.map(({ length }) => length)) + 2;
  const room = Math.max(MIN_ANSWER, (process.stdout.columns ?? PIPED_COLUMNS) - taken);
  return { ...columns, ANSWER: ({ answer }) => (answer ? firstLine(answer, room) : null) };
};

const listFailing = async ({ intake, output }: Service): Promise<void> => {
  const { data } = await intake.get('/api/v1/webhook-deliveries/failing-receivers');
  await output.list(data, failingColumns, NO_FAILING);
};

type Chosen = Readonly<{ since: string; receiver?: string }>;

const recover = async ({ intake, output }: Service, { since, receiver }: Chosen): Promise<void> => {
  const body = { since, ...given({ receiver }) };
  await answerRecovered(output, await intake.post('/api/v1/webhook-deliveries/recover', { body }));
};

const redeliver = async ({ intake, output }: Service, deliveryId: string): Promise<void> => {
  const path = { deliveryId };
  const { count } = await intake.post('/api/v1/webhook-deliveries/{deliveryId}/redeliver', { path });
  await output.answer({ eventId: deliveryId, count }, () =>
    count === 0 ? `${deliveryId} is under way already.` : `${deliveryId} will be sent again at once.`,
  );
};
