import * as assert from 'uvu/assert';
import { hashToken } from '../../../stores/identity.ts';
import { eventually, suite } from '../../harness.ts';
import { type MailServer, startMailServer } from '../../support/smtp.ts';
import { findings } from './forms.ts';
import { drawn, type Place, type Stage, setStage } from './stage.ts';

const test = suite('planted secrets in mails [mails-2, mails-7]');

type Row = Readonly<{ id: string; mail: Readonly<{ mailedAt: string | null; error: string | null }> }>;
type Issued = Readonly<{ id: string; expiresAt: string; mailed: true }>;

const logIn = { user: 'intake', pass: drawn() };
const people = {
  accepted: `${drawn().toLowerCase()}@example.com`,
  refused: `${drawn().toLowerCase()}@example.com`,
  deferred: `${drawn().toLowerCase()}@example.com`,
};
let mailServer: MailServer;
let stage: Stage;
let places: Readonly<Record<Place, Buffer>>;
let token: string;

const addressOf = (pass: string): string =>
  mailServer.url.replace('://', `://${logIn.user}:${encodeURIComponent(pass)}@`);
const nothing = () => ({ status: 200, headers: {}, body: '' });

test.before(async () => {
  mailServer = await startMailServer({ logIn });
  stage = await setStage({ SMTP_URL: addressOf(logIn.pass), MAIL_FROM: 'intake@example.com' }, nothing);
  await mailed();
  places = await stage.end();
});
test.after(async () => {
  await stage.remove();
  await mailServer.close();
});

/** One mail that is accepted, and others that are refused with the address in what is answered. */
const mailed = async (): Promise<void> => {
  await send(people.accepted, ({ mailedAt }) => mailedAt !== null);
  token = mailServer.mails[0]?.token ?? '';
  for (const [name, code] of [
    ['refused', 550],
    ['deferred', 450],
  ] as const) {
    mailServer.trouble = {
      recipient: { code, text: `<${people[name]}> has no mailbox here, ${logIn.pass}` },
    };
    await send(people[name], ({ error }) => error !== null);
  }
  await stage.ask('GET', `/api/invitation/validate?token=${token}`);
  const rest = JSON.stringify({ token, password: 'short' });
  await stage.ask('POST', '/api/invitation/complete', {
    headers: { 'content-type': 'application/json' },
    body: rest,
  });
};

const send = async (email: string, hasEnded: (mail: Row['mail']) => boolean): Promise<void> => {
  const { id } = await stage.command<Issued>('invite', '--email', email, '--role', 'super_admin');
  await eventually('the attempt is recorded', async () => {
    const { data } = await stage.command<{ data: readonly Row[] }>('invite', 'list');
    return data.some((row) => row.id === id && hasEnded(row.mail));
  });
};

const except = (...names: readonly Place[]): Readonly<Record<string, Buffer>> =>
  Object.fromEntries(Object.entries(places).filter(([name]) => !names.includes(name as Place)));

test('the token of a mailed link stands nowhere, and its hash in the table of invitations alone', () => {
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(findings({ token }, places), []);
  const hash = hashToken(token);
  assert.ok(findings({ hash }, { tables: places['tables.db'] }).length > 0);
  assert.equal(findings({ hash }, except('tables.db')), []);
});

test('the addresses of mails are in the read models alone, in clear, and the failures in the log', () => {
  assert.match(places.log.toString(), /"error":"the mail server answered 550[^"]* to the recipient"/);
  assert.match(places.log.toString(), /"error":"the mail server answered 450[^"]* to the recipient"/);
  assert.equal(findings(people, except('models.db', 'answers')), []);
});

test('the password of the mail server stands nowhere', () => {
  assert.is(mailServer.mails[0]?.user, logIn.user);
  assert.equal(findings({ password: logIn.pass }, places), []);
});
