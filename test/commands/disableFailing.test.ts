import * as assert from 'uvu/assert';
import { disableFailing } from '../../commands/disableFailing.ts';
import { webhookEndpoint, webhookEndpointStream } from '../../domain/webhookEndpoint.ts';
import { context, keptReport, withStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('disableFailing');
const id = 'whe_01hv6x3m8q2r5t7w9y0a1b2c3d';
const failingSince = '2026-11-16T10:00:00.000Z';
const lastFailedAt = '2026-11-21T10:00:00.000Z';
const failing = { id, failingSince, lastFailedAt };
const told = { disableAfterMs: 5 * 86_400_000, recipientsOf: async () => [] };
const options = { url: 'https://example.com/hooks', description: null, eventTypes: null } as const;
const create = {
  type: 'CreateWebhookEndpoint',
  endpointId: id,
  companyId: 'cmp_1',
  mode: 'live',
  retrySchedule: 'standard',
  ...options,
} as const;

test(
  'an endpoint is disabled once three deliveries were given up, the last one late enough, and once only [endpoints-15]',
  withStores(async ({ handle, log, ids }) => {
    const stream = webhookEndpointStream(id);
    await handle(webhookEndpoint, stream, create, context);
    const { report, lines } = keptReport();
    const disable = disableFailing({ handle, ids, log, report, ...told });
    const typesNow = async () => (await log.load(stream)).events.map(({ type }) => type);
    await disable({ ...failing, failed: 2 });
    await disable({ ...failing, failingSince: null, failed: 9 });
    await disable({ ...failing, lastFailedAt: '2026-11-21T09:59:59.999Z', failed: 9 });
    await disable({ ...failing, lastFailedAt: null, failed: 9 });
    assert.equal(await typesNow(), ['WebhookEndpointCreated']);
    await Promise.all([3, 4].map((failed) => disable({ ...failing, failed })));
    assert.equal(await typesNow(), ['WebhookEndpointCreated', 'WebhookEndpointDisabled']);
    const last = (await log.load(stream)).events.at(-1)?.data as { reason: string; failingSince: string };
    assert.equal([last.reason, last.failingSince], ['failures', failingSince]);
    const { companyId, mode } = create;
    const facts = { endpointId: id, companyId, mode, failingSince };
    assert.equal(
      lines.map((line) => [line.level, line.facts]),
      [['warn', facts]],
    );
  }),
);

test(
  'one that was deleted meanwhile is left alone',
  withStores(async ({ handle, log, ids }) => {
    const stream = webhookEndpointStream(id);
    await handle(webhookEndpoint, stream, create, context);
    await handle(webhookEndpoint, stream, { type: 'DeleteWebhookEndpoint' }, context);
    const { report, lines } = keptReport();
    await disableFailing({ handle, ids, log, report, ...told })({ ...failing, failed: 3 });
    assert.equal(lines, []);
    assert.is((await log.load(stream)).events.length, 2);
  }),
);
