import type { WebhookEndpoint } from '../../client/index.ts';
import { EXTENDED, type RetrySchedule, retrySchedules } from '../../domain/retrySchedule.ts';
import { type WebhookEventType, webhookEventTypes } from '../../domain/webhookEvents.ts';
import { endpointId, listOf, oneOf, secretOverlap } from '../arguments.ts';
import { type Command, group } from '../commandLine.ts';
import type { Columns } from '../output.ts';
import { given, onService, overHttp, type Service, showRows } from '../overHttp.ts';

/** `intake endpoints …`: where the webhooks of the company go. */
export const addEndpointCommands = (program: Command): void => {
  const endpoints = group(program, 'endpoints', 'webhook endpoints of your company');
  overHttp(endpoints, 'list', 'show the endpoints, newest first, never their secrets', [
    'intake endpoints list',
  ]).action(onService(list));
  overHttp(endpoints, 'create', 'make an endpoint; its secret is shown this once', [
    'intake endpoints create https://erp.example.com/webhooks',
    'intake endpoints create https://erp.example.com/webhooks --types session.completed --json | jq -r .secret',
  ])
    .argument('<url>', 'the address, https')
    .option('--types <types>', 'only events of these types, separated by commas', listOf(webhookEventTypes))
    .option('--description <text>', 'what it is for, for people')
    .option(
      '--retry-schedule <schedule>',
      `${retrySchedules.join(' or ')}: up to ${EXTENDED.hours} h`,
      oneOf(retrySchedules),
    )
    .action(onService(create));
  overHttp(endpoints, 'rotate', 'give an endpoint a new secret, which is shown this once', [
    `intake endpoints rotate ${EXAMPLE}`,
    `intake endpoints rotate ${EXAMPLE} --overlap 3600`,
  ])
    .argument('<endpoint>', 'its identifier', endpointId)
    .option('--overlap <seconds>', 'how long the former secret signs too: a day without it', secretOverlap)
    .action(onService(rotate));
  for (const [verb, about] of [
    ['disable', 'send an endpoint nothing any more'],
    ['enable', 'send an endpoint what happens from now on'],
  ] as const)
    overHttp(endpoints, verb, about, [`intake endpoints ${verb} ${EXAMPLE}`])
      .argument('<endpoint>', 'its identifier', endpointId)
      .action(onService(change(verb)));
  overHttp(endpoints, 'delete', 'delete an endpoint for good', [`intake endpoints delete ${EXAMPLE}`])
    .argument('<endpoint>', 'its identifier', endpointId)
    .action(onService(remove));
};

const EXAMPLE = 'whe_01hv6x3m8q2r5t7w9y0a1b2c3d';

/** More than a company can have. */
const ALL = 100;

const columns: Columns<WebhookEndpoint> = {
  ID: ({ id }) => id,
  URL: ({ url }) => url,
  TYPES: ({ eventTypes }) => eventTypes?.join(', ') ?? 'all',
  STATUS: ({ status }) => status,
  WHY: ({ disabledReason }) => disabledReason,
  CREATED: ({ createdAt }) => createdAt,
};

const list = async ({ intake, output }: Service): Promise<void> => {
  const rows = intake.list('/api/v1/webhook-endpoints', { query: { limit: ALL } });
  await showRows(output, rows, ALL, columns, 'There is no endpoint yet: intake endpoints create URL');
};

type CreateOptions = Readonly<{
  types?: readonly WebhookEventType[];
  description?: string;
  retrySchedule?: RetrySchedule;
}>;

const create = async (
  { intake, output }: Service,
  url: string,
  { types, description, retrySchedule }: CreateOptions,
): Promise<void> => {
  const body = { url, ...given({ eventTypes: types && [...types], description, retrySchedule }) };
  const made = await intake.post('/api/v1/webhook-endpoints', { body });
  await output.answer(made, () => secretText(made));
};

const rotate = async (
  { intake, output }: Service,
  endpointId: string,
  { overlap: overlapSeconds }: Readonly<{ overlap?: number }>,
): Promise<void> => {
  const made = await intake.post('/api/v1/webhook-endpoints/{endpointId}/rotate-secret', {
    path: { endpointId },
    body: given({ overlapSeconds }),
  });
  await output.answer(made, () => secretText(made));
};

const secretText = ({ id, secret }: Readonly<{ id: string; secret: string }>): string =>
  [`id      ${id}`, `secret  ${secret}`, 'Keep it now: it is never shown again.'].join('\n');

const change =
  (verb: 'disable' | 'enable') =>
  async ({ intake, output }: Service, endpointId: string): Promise<void> => {
    const path = { endpointId };
    const changed = await intake.post(`/api/v1/webhook-endpoints/{endpointId}/${verb}`, { path });
    await output.answer(changed, () => `${changed.id} is ${changed.status}.`);
  };

const remove = async ({ intake, output }: Service, endpointId: string): Promise<void> => {
  await intake.delete('/api/v1/webhook-endpoints/{endpointId}', { path: { endpointId } });
  await output.answer({ id: endpointId, deleted: true }, () => `${endpointId} is deleted.`);
};
