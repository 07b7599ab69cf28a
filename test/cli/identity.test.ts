import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { client } from '../support/client.ts';
import { runIntake } from '../support/commandLine.ts';
import { type Refusal, refusalOf, workplace } from './run.ts';

const test = suite('the command line: invitations and users, beside a server [cli-6]');
const place = workplace();
const PASSWORD = 'a password that must not be found';
const EMAIL = 'Plantain.Ann@example.com';

type List<T> = Readonly<{ data: readonly T[] }>;
type Row = Readonly<{ id: string; email: string; state: string; createdBy: string }>;
type Invited = Readonly<{ id: string; token: string; url: string; expiresAt: string }>;

type Reset = Invited & Readonly<{ invitationId: string }>;

const refused = async (...args: string[]): Promise<Refusal> =>
  refusalOf(await place.intake(...args, '--json'));
const rowOf = async (what: 'invite' | 'user' | 'key', id: string): Promise<Row | undefined> =>
  (await place.json<List<Row>>(what, 'list')).data.find((row) => row.id === id);

let server: Awaited<ReturnType<typeof place.serve>>;
const url = (): string => server.ready.url ?? '';
const post = (path: string, body: object) => client(url(), null).post(path, body);
let acme: string;
let other: string;
test.before(async () => {
  Object.assign(place.settings, { LOG_LEVEL: 'trace' });
  server = await place.serve();
  Object.assign(place.settings, { PUBLIC_URL: 'https://intake.example.com' });
  const [one, two] = await Promise.all([
    place.json<{ id: string }>('company', 'create', '--name', 'Acme'),
    place.json<{ id: string }>('company', 'create', '--name', 'Other'),
  ]);
  acme = one.id;
  other = two.id;
});
test.after(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  place.remove();
});

test(
  'an invitation shows its token once, with the page that accepts it, and is listed without [invitations-1, invitations-12]',
  async () => {
    const { id, token, url, expiresAt } = await place.json<Invited>(
      ...['invite', '--email', 'Bob@example.com', '--role', 'org_admin', '--company', acme],
    );
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.is(url, `https://intake.example.com/invite#token=${token}`);
    assert.ok(Date.parse(expiresAt) > Date.now());
    const listed = await place.intake('invite', 'list', '--json');
    assert.not.ok(listed.stdout.includes(token));
    const { createdAt, ...row } = JSON.parse(listed.stdout).data[0];
    assert.ok(Date.parse(createdAt) > 0);
    assert.equal(row, {
      ...{ id, email: 'Bob@example.com', role: 'org_admin', companyId: acme, userId: null, expiresAt },
      ...{ acceptedAt: null, revokedAt: null, state: 'open', mail: null },
    });
    assert.match((await place.intake('invite', 'list')).stdout, new RegExp(`${id} +Bob@example.com .*open`));
    assert.equal(await place.json('invite', 'revoke', id), { id, revoked: true });
    assert.is((await rowOf('invite', id))?.state, 'revoked');
    const people = await place.intake('invite', '--email', 'c@example.com', '--role', 'super_admin');
    assert.match(
      people.stdout,
      /^id +inv_.*\ntoken +\S{43}\nurl +https:.*\nexpiresAt +.*\n.*never shown again/,
    );
  },
  { timeoutMs: 60_000 },
);

test(
  'with a mail server no token is shown, and the list says that the mail waits [mails-1]',
  async () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'intake@example.com' };
    const intake = (...words: readonly string[]) => runIntake({ ...place.settings, ...mail }, ...words);
    const { stdout } = await intake('invite', '--email', 'd@example.com', '--role', 'super_admin');
    assert.match(stdout, /^id +inv_\S+\nexpiresAt +\S+\nThe link is sent by mail\. .*\n$/);
    const [, id = ''] = /^id +(\S+)/.exec(stdout) ?? [];
    // No worker of this server has a mail server: the mail waits.
    assert.match((await intake('invite', 'list')).stdout, new RegExp(`${id} +d@example.com .*open +waits `));
    await place.json('invite', 'revoke', id);
    assert.match((await intake('invite', 'list')).stdout, new RegExp(`${id} .*revoked +not mailed `));
  },
  { timeoutMs: 60_000 },
);

test(
  'what is not possible is refused with a hint',
  async () => {
    const unknown = '01hv6x3m8q2r5t7w9y0a1b2c3d';
    const refusals = await Promise.all([
      refused('invite', '--email', 'a@example.com', '--role', 'org_admin'),
      refused('invite', '--email', 'a@example.com', '--role', 'auditor'),
      refused('invite', '--email', 'a@example.com', '--role', 'super_admin', '--company', acme),
      refused('invite', '--email', 'a@example.com', '--role', 'org_admin', '--company', `cmp_${unknown}`),
      refused('invite', 'revoke', `inv_${unknown}`),
      refused('user', 'disable', `usr_${unknown}`),
      refused('user', 'reset', `usr_${unknown}`),
      refused('key', 'create', '--company', acme, '--as', 'nobody@example.com'),
    ]);
    assert.equal(
      refusals.map(({ code }) => code),
      [
        ...['role-needs-company', 'role-needs-company', 'role-takes-no-company'],
        ...['company-not-found', 'invitation-not-found'],
        ...['user-not-found', 'user-not-found', 'user-not-found'],
      ],
    );
    for (const { hint, exitCode } of refusals) assert.ok(hint !== null && exitCode === 1);
  },
  { timeoutMs: 60_000 },
);

test(
  'reviewers and auditors of a company are invited, and make no keys [keys-7]',
  async () => {
    for (const role of ['reviewer', 'auditor']) {
      const email = `${role}@example.com`;
      const { token } = await place.json<Invited>(
        ...['invite', '--email', email, '--role', role, '--company', acme],
      );
      const { status, body } = await post('/api/invitation/complete', { token, password: PASSWORD });
      assert.equal([status, body.role], [201, role]);
      const { code } = await refused('key', 'create', '--company', acme, '--as', email);
      assert.is(code, 'role-makes-no-keys');
    }
  },
  { timeoutMs: 60_000 },
);

test(
  'a user is invited, makes keys for the own company alone, is disabled at once, and comes back by a reset [keys-7]',
  async () => {
    const invited = ['invite', '--email', EMAIL, '--role', 'org_admin', '--company', acme];
    const { token } = await place.json<Invited>(...invited);
    const second = await place.json<Invited>(...invited);
    const completed = await post('/api/invitation/complete', { token, password: PASSWORD, name: 'Ann' });
    const { userId } = completed.body;
    assert.is(completed.status, 201, completed.text);
    const user = await rowOf('user', userId);
    assert.equal([user?.email, user?.state], [EMAIL, 'active']);
    assert.is((await refused(...invited)).code, 'email-taken');
    assert.is((await rowOf('invite', second.id))?.state, 'consumed');

    const as = ['--as', EMAIL.toUpperCase()];
    const { id } = await place.json<{ id: string }>('key', 'create', '--company', acme, ...as);
    assert.is((await rowOf('key', id))?.createdBy, userId);
    assert.is((await refused('key', 'create', '--unscoped', ...as)).code, 'key-needs-company');
    assert.is((await refused('key', 'create', '--company', other, ...as)).code, 'key-outside-company');

    const logIn = (password: string) => post('/api/auth/sessions', { email: EMAIL, password });
    const session = await logIn(PASSWORD);
    const { token: brief } = (await logIn(PASSWORD)).body;
    assert.is((await client(url(), brief).call('DELETE', '/api/auth/sessions')).status, 204);
    type Disabled = Readonly<{ disabledAt: string; keys: readonly Readonly<{ id: string }>[] }>;
    const { disabledAt, keys } = await place.json<Disabled>('user', 'disable', userId);
    assert.equal(keys, [{ id, name: null, companyId: acme, mode: 'live', lastUsedAt: null }]);
    const { stdout } = await place.intake('user', 'disable', userId);
    assert.ok(stdout.includes(`intake key revoke ${id}  # without a name, ${acme}, never used`), stdout);
    const api = client(url(), session.body.token);
    assert.is((await api.call('DELETE', '/api/auth/sessions')).status, 401);
    assert.is((await logIn(PASSWORD)).status, 401);
    assert.equal(await place.json('user', 'disable', userId), { id: userId, disabledAt, keys });
    assert.is((await rowOf('user', userId))?.state, 'disabled');
    assert.is((await refused('key', 'create', '--company', acme, ...as)).code, 'user-is-disabled');
    assert.is((await refused('user', 'reset', userId)).code, 'user-is-disabled');

    const replaced = await place.json<Reset>('user', 'reset', userId, '--enable');
    const reset = await place.json<Reset>('user', 'reset', userId);
    assert.is((await rowOf('invite', replaced.invitationId))?.state, 'revoked');
    assert.is(reset.id, userId);
    assert.is((await rowOf('user', userId))?.state, 'reset');
    const chosen = `${PASSWORD}, the second`;
    assert.is((await post('/api/invitation/complete', { token: reset.token, password: chosen })).status, 201);
    const again = await logIn(chosen);
    assert.equal([(await logIn(PASSWORD)).status, again.status], [401, 201]);
    assert.is((await rowOf('invite', reset.invitationId))?.state, 'consumed');

    const tables = holding(/./, [PASSWORD, token, reset.token, session.body.token, again.body.token]);
    assert.equal(tables, [], 'no secret stands in any file');
    assert.equal(holding(/^(log|tables)\.db/, ['plantain', 'Plantain']), [], 'no e-mail in log or tables');
    for (const secret of [PASSWORD, token, session.body.token, 'plantain', 'Plantain'])
      assert.not.ok(server.stderr().includes(secret), 'nothing in the log');
    assert.ok(server.stderr().includes('/api/invitation/complete'), 'the log was looked at');
    const served = new RegExp(`"endpoint":"logOut",.*"userId":"${userId}","status":204`);
    assert.match(server.stderr(), served, 'the log says who called');
  },
  { timeoutMs: 90_000 },
);

/** The files of the data folder that hold one of these texts as it is. */
const holding = (name: RegExp, texts: readonly string[]): readonly string[] =>
  readdirSync(place.settings.DATA_DIR).filter((file) => {
    if (!name.test(file) || !/\.(db|db-wal|key)$/.test(file)) return false;
    const bytes = readFileSync(join(place.settings.DATA_DIR, file));
    return texts.some((text) => bytes.includes(text));
  });

test('a token given in the place of an identifier is not repeated', async () => {
  const token = 'Qz7-'.repeat(11);
  for (const command of [
    ['invite', 'revoke'],
    ['user', 'disable'],
  ]) {
    const { code, stderr } = await place.intake(...command, token);
    assert.is(code, 2);
    assert.not.ok(stderr.includes('Qz7-Qz7-'), stderr);
  }
});

test(
  'the last administrator is disabled, enabled and given another role by the operator [people-16]',
  async () => {
    const email = 'sole@example.com';
    const { token } = await place.json<Invited>(
      ...['invite', '--email', email, '--role', 'org_admin', '--company', other],
    );
    const { userId } = (await post('/api/invitation/complete', { token, password: PASSWORD })).body;
    const logIn = () => post('/api/auth/sessions', { email, password: PASSWORD });
    await place.json('user', 'disable', userId);
    assert.is((await logIn()).status, 401);
    assert.equal(await place.json('user', 'enable', userId), { id: userId, disabledAt: null });
    const { body, status } = await logIn();
    assert.is(status, 201);
    const roleOf = async () => (await client(url(), body.token).call('GET', '/api/auth/me')).body.role;
    const changed = await place.json('user', 'role', userId, '--role', 'auditor');
    assert.equal(changed, { id: userId, role: 'auditor', companyId: other, keys: [] });
    assert.is(await roleOf(), 'auditor');
    const toCompany = ['user', 'role', userId, '--role', 'auditor', '--company'];
    assert.is((await refused(...toCompany, acme)).code, 'role-keeps-company');
    assert.is((await refused('user', 'role', userId, '--role', 'chief')).exitCode, 2);
    await place.json('user', 'role', userId, '--role', 'super_admin');
    assert.is(await roleOf(), 'super_admin');
    assert.is((await refused('user', 'role', userId, '--role', 'auditor')).code, 'role-needs-company');
    const lowered = { id: userId, role: 'auditor', companyId: acme, keys: [] };
    assert.equal(await place.json(...toCompany, acme), lowered);
  },
  { timeoutMs: 90_000 },
);
