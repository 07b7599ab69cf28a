import * as assert from 'uvu/assert';
import { webhookEndpointStream } from '../../domain/webhookEndpoint.ts';
import { eventually, suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';
import { type MailServer, startMailServer } from '../support/smtp.ts';

const test = suite('mails about webhook endpoints');
let mailServer: MailServer;
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
test.before(async () => {
  mailServer = await startMailServer();
  const mail = { SMTP_URL: mailServer.url, MAIL_FROM: 'Intake <intake@example.com>' };
  const settings = { ENDPOINT_DISABLE_AFTER: '1s', SWEEP: '1s', WEBHOOK_RETRY_DELAYS: '20ms', ...mail };
  service = await startService(settings, { answer: () => ({ status: 500 }) });
  // By a core that mails nothing: their invitations are accepted by token.
  people = await peopleOf({ ...service, config: { ...service.config, mail: null } });
});
test.after(async () => {
  await people?.close();
  await service?.close();
  await mailServer?.close();
});

test('each administrator of the company is told once by mail that an endpoint was disabled, nobody else [endpoints-16]', async () => {
  const { id: company, api } = await service.company();
  const administrators = [await people.user(company), await people.user(company)];
  await people.user(company, 'auditor');
  await people.user((await service.company()).id);
  const url = `${service.receiver.url}/failing`;
  const { id } = (await api.post('/api/v1/webhook-endpoints', { url })).body;
  const events = async () => (await people.log.load(webhookEndpointStream(id))).events;
  await eventually('both are mailed', async () => {
    await api.process([receiptText()]);
    const types = (await events()).map(({ type }) => type);
    return types.filter((type) => type === 'WebhookEndpointNoticeMailed').length === 2;
  });
  const told = mailServer.mails.filter(({ text }) => text.includes(id));
  const emails = await Promise.all(
    administrators.map(async ({ api: own }) => (await own.get('/api/auth/me')).body.email as string),
  );
  assert.equal(told.flatMap(({ to }) => to).sort(), emails.sort());
  for (const { text, html } of told) {
    assert.ok(text.includes(url), text);
    assert.ok(html.includes(id), html);
  }
  const types = (await events()).map(({ type }) => type);
  assert.equal(types.filter((type) => type === 'WebhookEndpointDisabled').length, 1);
});
