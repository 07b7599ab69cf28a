import * as assert from 'uvu/assert';
import { webhookEndpointStream } from '../../domain/webhookEndpoint.ts';
import { type Core, wireCore } from '../../runtime/wire.ts';
import { eventually, suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('webhook endpoints that fail');
const PATH = '/api/v1/webhook-endpoints';
let service: TestService;
let core: Core;
let isUp = false;

test.before(async () => {
  const settings = { ENDPOINT_DISABLE_AFTER: '1s', SWEEP: '1s', WEBHOOK_RETRY_DELAYS: '20ms' };
  service = await startService(settings, { answer: () => ({ status: isUp ? 200 : 500 }) });
  core = await wireCore(service.config);
});
test.after(async () => {
  await core.close();
  await service.close();
});

test('an endpoint that gets nothing delivered is disabled once, and enabling it begins a new count [endpoints-15]', async () => {
  const { api } = await service.company();
  const { id } = (await api.post(PATH, { url: `${service.receiver.url}/failing` })).body;
  const shown = async () => (await api.get(`${PATH}/${id}`)).body;
  const disabled = await eventually('it is disabled', async () => {
    await api.process([receiptText()]);
    const endpoint = await shown();
    return endpoint.status === 'disabled' && endpoint;
  });
  assert.equal([disabled.disabledReason, disabled.disabledBy], ['failures', 'system:sweep']);
  assert.match(await (await fetch(`${service.url}/metrics`)).text(), /^intake_endpoints_disabled_total 1$/m);
  isUp = true;
  await api.post(`${PATH}/${id}/enable`);
  const { sessionId } = await api.process([receiptText()]);
  await eventually('it is delivered', async () => {
    const { body } = await api.get(
      `/api/v1/webhook-deliveries?endpointId=${id}&status=delivered&sessionId=${sessionId}`,
    );
    return body.data.length === 1;
  });
  assert.is((await shown()).status, 'enabled');
  const { events } = await core.log.load(webhookEndpointStream(id));
  assert.equal(
    events.map(({ type }) => type),
    ['WebhookEndpointCreated', 'WebhookEndpointDisabled', 'WebhookEndpointEnabled'],
  );
});
