import * as assert from 'uvu/assert';
import { hashToken } from '../../../stores/identity.ts';
import { suite } from '../../harness.ts';
import { findings } from './forms.ts';
import { type Answer, drawn, type Place, type Stage, setStage } from './stage.ts';

const test = suite('planted secrets where people administer [secrets-1]');
const password = drawn();
const emails = {
  administrator: `${drawn().toLowerCase()}@example.com`,
  invited: `${drawn().toLowerCase()}@example.com`,
};
/** Keys, and the tokens of invitations, as they were answered once. */
const secrets: Record<string, string> = {};
let stage: Stage;
let places: Readonly<Record<Place, Buffer>>;
let session: string;

const send = async (
  path: string,
  body: object,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  stage.ask('POST', path, {
    headers: {
      'content-type': 'application/json',
      ...(session ? { authorization: `Bearer ${session}` } : {}),
      ...more,
    },
    body: JSON.stringify(body),
  });
const answered = async (...request: Parameters<typeof send>) => JSON.parse((await send(...request)).text);

test.before(async () => {
  session = '';
  stage = await setStage({}, () => ({ status: 200, headers: {}, body: '' }));
  const companyId = await stage.company();
  const invited = ['invite', '--email', emails.administrator, '--role', 'org_admin', '--company', companyId];
  const { token } = await stage.command<{ token: string }>(...invited);
  await answered('/api/invitation/complete', { token, password });
  session = (await answered('/api/auth/sessions', { email: emails.administrator, password })).token;
  await administer(companyId);
  await refusedThings(companyId);
  places = await stage.end();
});
test.after(() => stage.remove());

/** All that answers a secret once, each sent again under its Idempotency-Key. */
const administer = async (companyId: string): Promise<void> => {
  const once = { 'idempotency-key': 'made once' };
  const made = await answered('/api/v1/keys', { companyId }, once);
  await send('/api/v1/keys', { companyId }, once);
  const rotated = await answered(`/api/v1/keys/${made.id}/rotate`, {}, once);
  await send(`/api/v1/keys/${made.id}/rotate`, {}, once);
  const invitation = { email: emails.invited, role: 'reviewer' };
  const invited = await answered('/api/v1/invitations', invitation, once);
  await send('/api/v1/invitations', invitation, once);
  const { userId } = await answered('/api/invitation/complete', { token: invited.token, password });
  const reset = await answered(`/api/v1/people/${userId}/reset`, {}, once);
  await send(`/api/v1/people/${userId}/reset`, {}, once);
  const { key, standardWebhooksSecret: signing } = made;
  Object.assign(secrets, { key, signing, newKey: rotated.key, invited: invited.token, reset: reset.token });
  for (const path of ['keys', 'people', 'invitations', `people/names?ids=${userId}`])
    await stage.ask('GET', `/api/v1/${path}`, { headers: { authorization: `Bearer ${session}` } });
};

/** Secrets in the wrong place, and what is refused. */
const refusedThings = async (companyId: string): Promise<void> => {
  const { key = '', reset = '' } = secrets;
  await send(`/api/v1/keys/${key}/revoke`, {});
  await send(`/api/v1/invitations/${reset}/revoke`, {});
  await send('/api/v1/keys', { companyId, key });
  await send('/api/v1/keys', { companyId: key });
  await send('/api/v1/invitations', { email: emails.invited, role: 'super_admin', token: reset });
  await send('/api/v1/invitations', { email: emails.administrator, role: 'reviewer' });
};

test('keys and tokens stand in one answer each, and nowhere else', () => {
  assert.is(Object.keys(secrets).length, 5);
  for (const secret of Object.values(secrets))
    assert.match(secret, /^(aok_[0-9a-f]{64}|whsec_.+|[\w-]{43})$/);
  const { answers, refusals: _refusals, log: _log, ...others } = places;
  assert.equal(findings(secrets, others), []);
  const lines = answers.toString().split('\n');
  for (const [name, secret] of Object.entries(secrets))
    assert.is(lines.filter((line) => line.includes(secret)).length, 1, name);
});

test('what is sent to the wrong place is told and logged as part of the path alone', () => {
  const { signing: _, ...sent } = secrets;
  for (const place of ['log', 'refusals'] as const) {
    const text = places[place].toString().replaceAll(/\/api\/v1\/(keys|invitations)\/[\w-]+/g, '');
    assert.equal(findings(sent, { [place]: Buffer.from(text) }), []);
  }
});

test('hashes of tokens stand in their tables and nowhere else', () => {
  const hashes = { invited: hashToken(secrets.invited ?? ''), reset: hashToken(secrets.reset ?? '') };
  const { 'tables.db': tables, ...others } = places;
  assert.is(findings(hashes, { tables }).length >= 2, true);
  assert.equal(findings(hashes, others), []);
});

test('addresses of people are neither logged nor told in refusals, and sealed in events', () => {
  const { log, output, refusals, 'log.db': events, 'tables.db': tables } = places;
  assert.equal(findings(emails, { log, output, refusals, events, tables }), []);
});
