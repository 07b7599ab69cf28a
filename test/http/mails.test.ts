import * as assert from 'uvu/assert';
import { createMailer } from '../../outbound/mail.ts';
import { mailLoop } from '../../runtime/mailLoop.ts';
import { eventually, suite } from '../harness.ts';
import { client } from '../support/client.ts';
import { openCore } from '../support/core.ts';
import { startService, type TestService } from '../support/service.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/smtp.ts';

const test = suite('invitations by mail');
let mailServer: MailServer;
let service: TestService;
test.before(async () => {
  mailServer = await startMailServer();
  service = await startService({ SMTP_URL: mailServer.url, MAIL_FROM: 'Intake <intake@example.com>' });
});
test.after(async () => {
  await service?.close();
  await mailServer?.close();
});

type Issued = Readonly<{ id: string; expiresAt: string; mailed: true }>;
type Mail = Readonly<{
  attempts: number;
  mailedAt: string | null;
  error: string | null;
  nextAttemptAt: string | null;
}>;
type Row = Readonly<{ id: string; state: string; mail: Mail | null }>;

let made = 0;
const newEmail = (): string => `Person${++made}@example.org`;
const invite = (email: string, over = service) =>
  over.intake<Issued>('invite', '--email', email, '--role', 'super_admin');
const mailTo = (email: string, nth = 0): Promise<ReceivedMail> =>
  eventually(
    `mail ${nth} to ${email}`,
    () => mailServer.mails.filter(({ to }) => to[0] === email)[nth] ?? null,
  );
const rowOf = async (id: string): Promise<Row> => {
  const { data } = await service.intake<{ data: readonly Row[] }>('invite', 'list');
  const row = data.find((one) => one.id === id);
  if (!row) throw new Error(`${id} is not listed`);
  return row;
};
const post = (path: string, body: object) => client(service.url, null).post(path, body);

test('who is invited gets the link by mail, the operator no token, and the list says so [mails-1, invitations-12]', async () => {
  const email = newEmail();
  const { id, expiresAt, ...rest } = await invite(email);
  assert.equal(rest, { mailed: true });
  const { link, token, from, headers } = await mailTo(email);
  assert.is(link, `${service.url}/invite#token=${token}`);
  assert.equal([from, headers['message-id']], ['intake@example.com', `<${id}@example.com>`]);
  const valid = await client(service.url, null).get(`/api/invitation/validate?token=${token}`);
  assert.equal([valid.body.email, valid.body.expiresAt], [email, expiresAt]);
  const { mail, state } = await eventually('it is listed as mailed', async () => {
    const row = await rowOf(id);
    return row.mail?.mailedAt ? row : null;
  });
  assert.ok(Date.parse(mail?.mailedAt ?? '') <= Date.now());
  assert.equal(
    [{ ...mail, mailedAt: null }, state],
    [{ attempts: 1, mailedAt: null, error: null, nextAttemptAt: null }, 'open'],
  );
  const password = 'correct horse battery staple';
  const { status, body } = await post('/api/invitation/complete', { token, password });
  assert.is(status, 201);

  const reset = await service.intake<Issued & { invitationId: string }>('user', 'reset', body.userId);
  assert.equal(Object.keys(reset).sort(), ['expiresAt', 'id', 'invitationId', 'mailed']);
  const second = await mailTo(email, 1);
  assert.is(second.headers['message-id'], `<${reset.invitationId}@example.com>`);
  assert.match(second.headers.subject ?? '', /^Choose a new password/);
  const chosen = { token: second.token, password: `${password}, the second` };
  assert.is((await post('/api/invitation/complete', chosen)).status, 201);
  assert.is(mailServer.mails.filter(({ to }) => to[0] === email).length, 2);
});

test('a mail that is refused is seen in the list and the metrics, and delays no readiness [mails-3, mails-7]', async () => {
  const attempts = async (result: string): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(
      new RegExp(`^intake_mail_attempts_total\\{mail="invitation",result="${result}"\\} (\\d+)$`, 'm').exec(
        text,
      )?.[1] ?? 0,
    );
  };
  const attempted = (id: string) =>
    eventually('an attempt', async () => {
      const { mail } = await rowOf(id);
      return mail && mail.attempts > 0 ? mail : null;
    });
  const [retried, failed] = [await attempts('retried'), await attempts('failed')];
  const email = newEmail();
  mailServer.trouble = { recipient: { code: 450, text: `4.2.0 <${email}> is greylisted` } };
  const { id } = await invite(email);
  const { error, nextAttemptAt, mailedAt } = await attempted(id);
  assert.equal([error, mailedAt], ['the mail server answered 450 (4.2.0) to the recipient', null]);
  const inMs = Date.parse(nextAttemptAt ?? '') - Date.now();
  assert.ok(inMs > 0 && inMs <= 30_000, `${inMs}`);
  assert.is(await attempts('retried'), retried + 1);
  assert.is((await fetch(`${service.url}/health/ready`)).status, 200);

  await service.intake('invite', 'revoke', id);
  assert.equal((await rowOf(id)).mail, { attempts: 1, mailedAt: null, error, nextAttemptAt: null });

  mailServer.trouble = { recipient: { code: 550, text: `5.1.1 <${email}> is unknown` } };
  const second = await invite(newEmail());
  assert.equal(await attempted(second.id), {
    ...{ attempts: 1, mailedAt: null, nextAttemptAt: null },
    error: 'the mail server answered 550 (5.1.1) to the recipient',
  });
  assert.is(await attempts('failed'), failed + 1);
  mailServer.trouble = {};
});

test('a company’s name begins no header and names nobody else', async () => {
  const { id: companyId } = await service.intake<{ id: string }>(
    ...['company', 'create', '--name', 'ACME "<eve@example.net>", Bcc: eve@example.net'],
  );
  const email = newEmail();
  await service.intake('invite', '--email', email, '--role', 'reviewer', '--company', companyId);
  const { headers, to, html } = await mailTo(email);
  assert.equal([to, headers.to, headers.bcc], [[email], email, undefined]);
  assert.is(headers.subject, 'Your invitation to ACME "<eve@example.net>", Bcc: eve@example.net at Intake');
  assert.not.ok(html.includes('<eve'));
});

test('of several nodes one mails each link', async () => {
  const settings = { SMTP_URL: mailServer.url, MAIL_FROM: 'intake@example.com' };
  const api = await startService(settings, {}, ['api', 'projections', 'reactors']);
  const nodes = await Promise.all([openCore(api.config), openCore(api.config)]);
  const stop = new AbortController();
  const { mail } = api.config;
  if (!mail) throw new Error('no mail server is set');
  const emails = Array.from({ length: 12 }, newEmail);
  const of = () => mailServer.mails.flatMap(({ to }) => to).filter((to) => emails.includes(to));
  const loops = nodes.map((core) =>
    mailLoop(core, { mailer: createMailer(mail), publicUrl: api.url }, stop.signal),
  );
  try {
    await Promise.all(emails.map((email) => invite(email, api)));
    await eventually('all are mailed', () => of().length >= emails.length);
    await eventually('nothing waits', async () => {
      const text = await (await fetch(`${api.url}/metrics`)).text();
      return text.includes('intake_queue_items{queue="mails"} 0');
    });
    assert.equal(of().sort(), [...emails].sort());
  } finally {
    stop.abort();
    await Promise.all(loops);
    await Promise.all(nodes.map((core) => core.close()));
    await api.close();
  }
});
