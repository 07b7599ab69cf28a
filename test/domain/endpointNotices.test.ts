import { webhookEndpoint } from '../../domain/webhookEndpoint.ts';
import { examples, variants } from '../controls/events.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('notices of webhook endpoints');
const {
  WebhookEndpointCreated: created,
  WebhookEndpointDisabled: disabled,
  WebhookEndpointEnabled: enabled,
  WebhookEndpointDeleted: deleted,
  WebhookEndpointNoticeFailed: failed,
  WebhookEndpointNoticeMailed: mailed,
} = examples;
const told = variants['WebhookEndpointDisabled.notice'] as typeof disabled;
const { noticeId, userId } = mailed.data;
/** An attempt that was accepted, or failed so. */
const record = (attempt: number, { error, nextAttemptAt }: Partial<typeof failed.data> = {}) => {
  const outcome = { error: error ?? null, nextAttemptAt: nextAttemptAt ?? null };
  return { type: 'RecordNotice', noticeId, userId, attempt, ...outcome } as const;
};

test('each attempt is recorded once, in order, until the mail was accepted or given up [endpoints-16]', () => {
  given(webhookEndpoint, created, told).when(record(2)).then();
  given(webhookEndpoint, created, told).when(record(1, failed.data)).then(failed);
  given(webhookEndpoint, created, told, failed).when(record(1, failed.data)).then();
  given(webhookEndpoint, created, told, failed).when(record(2)).then(mailed);
  given(webhookEndpoint, created, told, failed, mailed).when(record(3)).then();
  const givenUp = { ...failed, data: { ...failed.data, nextAttemptAt: null } } as const;
  given(webhookEndpoint, created, told, givenUp).when(record(2)).then();
});

test('a mail that is still to be sent ends also when the endpoint was disabled again, or deleted [endpoints-16]', () => {
  const byRequest = {
    ...disabled,
    data: { ...disabled.data, reason: 'request', failingSince: null },
  } as const;
  const dropped = { error: 'not sent: the endpoint is no longer disabled', nextAttemptAt: null };
  for (const later of [[enabled], [enabled, byRequest], [deleted]])
    given(webhookEndpoint, created, told, failed, ...later)
      .when(record(2, dropped))
      .thenTypes('WebhookEndpointNoticeFailed');
});
