import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { Handle } from '../../commands/handle.ts';
import { webhookEndpoints } from '../../commands/webhookEndpoints.ts';
import { StoreUnavailable } from '../../kernel/errors.ts';
import { createEndpointSecrets } from '../../stores/endpointSecrets.ts';
import { keyringOf } from '../controls/keyring.ts';
import { context, failure, withStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('commands on webhook endpoints');
const options = { url: 'https://example.com/hooks', description: null, eventTypes: null } as const;
const input = { companyId: 'cmp_1', mode: 'live', retrySchedule: 'standard', ...options } as const;

test(
  'a deletion that was cut short leaves an endpoint that can be deleted, and no secret [endpoints-4]',
  withStores(async ({ handle, clock, ids, documents: { tables } }) => {
    const secrets = createEndpointSecrets({ tables, keyring: keyringOf(randomBytes(32)) });
    const over = (own: Handle) =>
      webhookEndpoints({ handle: own, clock, ids, secrets, count: async () => 0, madeBefore: async () => 0 });
    const { endpointId, secret } = await over(handle).createEndpoint(input, context);
    const now = () => clock.now().toISOString();
    assert.equal(await secrets.validAt(endpointId, now()), [secret]);
    const cut = over(async () => {
      throw new StoreUnavailable('the log is away');
    });
    assert.instance(await failure(cut.deleteEndpoint(endpointId, context)), StoreUnavailable);
    assert.equal(await secrets.validAt(endpointId, now()), []);
    const { state } = await over(handle).deleteEndpoint(endpointId, context);
    assert.is(state?.isDeleted, true);
  }),
);
