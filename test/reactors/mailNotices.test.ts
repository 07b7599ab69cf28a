import * as assert from 'uvu/assert';
import { user, userStream } from '../../domain/user.ts';
import {
  type WebhookEndpointEvent,
  webhookEndpoint,
  webhookEndpointStream,
} from '../../domain/webhookEndpoint.ts';
import type { Mail } from '../../outbound/mail.ts';
import { mailNotice } from '../../reactors/mailNotices.ts';
import { context, type Stores, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('mailNotice');
const companyId = 'cmp_1';
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

/** An endpoint that was disabled for its failures, of which this user is to be told. */
const disabledFor = async (userId: string): Promise<string> => {
  const endpointId = `whe_${stores.ids.ulid()}`;
  const options = { url: 'https://example.com/hooks', description: null, eventTypes: null } as const;
  const scope = { endpointId, companyId, mode: 'live', retrySchedule: 'standard' } as const;
  const notice = { noticeId: 'notice', recipients: [userId] };
  const run = (command: Parameters<typeof webhookEndpoint.decide>[0]) =>
    stores.handle(webhookEndpoint, webhookEndpointStream(endpointId), command, context);
  await run({ type: 'CreateWebhookEndpoint', ...scope, ...options });
  await run({
    type: 'DisableWebhookEndpoint',
    ...{ reason: 'failures', failingSince: '2026-11-16T10:00:00.000Z', notice },
  });
  return endpointId;
};

const newUser = async (office: Readonly<{ role: 'org_admin' | 'auditor'; companyId: string }>) => {
  const userId = `usr_${stores.ids.ulid()}`;
  const input = { userId, invitationId: 'inv_1', name: null, email: `${userId}@example.com`, ...office };
  await stores.handle(user, userStream(userId), { type: 'CreateUser', ...input }, context);
  return userId;
};

/** Makes one attempt; gives what was mailed, and the event that records it. */
const attempt = async (endpointId: string, userId: string) => {
  const mails: Mail[] = [];
  const send = async (mail: Mail) => {
    mails.push(mail);
    return { error: null, isFinal: false };
  };
  const ports = {
    ...stores,
    mailer: { send },
    publicUrl: 'https://intake.example.com',
    onFailed: () => undefined,
  };
  const notice = { endpointId, noticeId: 'notice', userId };
  const cause = { correlationId: 'the sweep', causationId: 'its event' };
  const item = { id: `notice.${userId}`, lane: 'lane', dueAt: 'now', attempt: 1, cause, notice };
  await mailNotice(ports)(item, new AbortController().signal);
  const { events } = await stores.log.load(webhookEndpointStream(endpointId));
  return { mails, last: events.at(-1) as unknown as WebhookEndpointEvent };
};

test('an administrator of the company is told, who is one no more is not [endpoints-16]', async () => {
  const told = await newUser({ role: 'org_admin', companyId });
  const { mails, last } = await attempt(await disabledFor(told), told);
  assert.equal(
    [mails.length, mails[0]?.to, last.type],
    [1, `${told}@example.com`, 'WebhookEndpointNoticeMailed'],
  );
  for (const office of [
    { role: 'auditor', companyId },
    { role: 'org_admin', companyId: 'cmp_2' },
  ] as const) {
    const former = await newUser(office);
    const { mails, last } = await attempt(await disabledFor(former), former);
    assert.equal([mails.length, last.type], [0, 'WebhookEndpointNoticeFailed']);
  }
});
