import * as assert from 'uvu/assert';
import {
  type WebhookDeliveryCommand,
  webhookDelivery,
  webhookDeliveryStream,
} from '../../domain/webhookDelivery.ts';
import { batchDeliveryFacts, batchId, deliveryFacts, examples } from '../controls/events.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('webhookDelivery');
const { WebhookRequested: requested, WebhookAttempted: attempted, WebhookDelivered: delivered } = examples;
const request = {
  type: 'RequestDelivery',
  facts: deliveryFacts,
  url: 'https://example.com/hook',
  body: '{"eventId":"x"}',
} as const;
const bad = { statusCode: 500, durationMs: 12, error: 'answered 500' };
const good = { statusCode: 204, durationMs: 3, error: null };
const later = '2026-11-21T10:00:30.000Z';
type RecordAttempt = Extract<WebhookDeliveryCommand, { type: 'RecordAttempt' }>;
const failed = (attempt: number, nextAttemptAt: string | null): RecordAttempt => ({
  type: 'RecordAttempt',
  attempt,
  outcome: bad,
  succeeded: false,
  nextAttemptAt,
});
const worked = (attempt: number): RecordAttempt => ({
  ...failed(attempt, later),
  outcome: good,
  succeeded: true,
});

test('a delivery is requested, once', () => {
  given(webhookDelivery).when(request).then(requested);
  given(webhookDelivery, requested).when(request).then();
  given(webhookDelivery, requested, attempted, delivered).when(request).then();
});

test('a failed attempt with a next one leaves it pending', () => {
  const { when } = given(webhookDelivery, requested);
  when(failed(1, later)).then(attempted);
  assert.equal([when(failed(1, later)).thenState()?.status], ['pending']);
});

test('a failed attempt without a next one fails it', () => {
  const after = given(webhookDelivery, requested, attempted).when(failed(2, null)).thenState();
  assert.equal([after?.status, after?.attempts], ['failed', 2]);
  given(webhookDelivery, requested, attempted)
    .when(failed(2, null))
    .then(
      { type: 'WebhookAttempted', data: { ...attempted.data, attempt: 2, nextAttemptAt: null } },
      { type: 'WebhookFailed', data: { ...deliveryFacts, attempts: 2 } },
    );
});

test('the attempt that could not be sent, and the end by it, say so [endpoints-15]', () => {
  const { when } = given(webhookDelivery, requested);
  const notSent = { ...deliveryFacts, notSent: true as const };
  const data = { ...notSent, ...bad, attempt: 1 };
  when({ ...failed(1, later), notSent: true }).then({
    type: 'WebhookAttempted',
    data: { ...data, nextAttemptAt: later },
  });
  when({ ...failed(1, null), notSent: true }).then(
    { type: 'WebhookAttempted', data: { ...data, nextAttemptAt: null } },
    { type: 'WebhookFailed', data: { ...notSent, attempts: 1 } },
  );
});

test('a successful attempt delivers it and has no next one', () =>
  given(webhookDelivery, requested, attempted)
    .when(worked(2))
    .then(
      {
        type: 'WebhookAttempted',
        data: { ...deliveryFacts, ...good, attempt: 2, nextAttemptAt: null },
      },
      delivered,
    ));

test('an attempt is recorded once, in its turn', () => {
  given(webhookDelivery, requested, attempted).when(failed(1, later)).then();
  given(webhookDelivery, requested).when(failed(2, later)).then();
});

test('nothing follows an end', () => {
  given(webhookDelivery, requested, attempted, delivered).when(worked(2)).then();
  given(webhookDelivery, requested, attempted, { ...examples.WebhookFailed })
    .when(worked(2))
    .then();
});

const again = examples.WebhookRedeliveryRequested;
const gaveUp = [
  requested,
  attempted,
  { ...attempted, data: { ...attempted.data, attempt: 4, nextAttemptAt: null } },
  examples.WebhookFailed,
] as const;

for (const end of [delivered, examples.WebhookFailed]) {
  test(`a redelivery brings back one with ${end.type}, counting on`, () =>
    given(webhookDelivery, requested, attempted, end)
      .when({ type: 'Redeliver' })
      .then({ ...again, data: { ...again.data, attempts: 1 } }));
}

test('a redelivery has a run of its own and keeps the address and the bytes', () => {
  const { state, when } = given(webhookDelivery, ...gaveUp, again);
  const { status, attempts, earlierAttempts, url, body } = state ?? {};
  assert.equal([status, attempts, earlierAttempts], ['pending', 4, 4]);
  assert.equal([url, body], ['https://example.com/hook', '{"eventId":"x"}']);
  when(failed(4, later)).then();
  when(failed(5, later)).thenTypes('WebhookAttempted');
  when(worked(5)).thenTypes('WebhookAttempted', 'WebhookDelivered');
});

const giveUp = { type: 'GiveUpDelivery', error: 'the endpoint is disabled' } as const;

test('a pending one is given up by a last attempt that says why, and sends nothing [endpoints-13]', () => {
  const outcome = { statusCode: null, durationMs: 0, error: giveUp.error, nextAttemptAt: null };
  given(webhookDelivery, requested, attempted)
    .when(giveUp)
    .then(
      { type: 'WebhookAttempted', data: { ...deliveryFacts, ...outcome, attempt: 2, notSent: true } },
      { type: 'WebhookFailed', data: { ...deliveryFacts, attempts: 2, notSent: true } },
    );
  for (const end of [delivered, examples.WebhookFailed])
    given(webhookDelivery, requested, attempted, end).when(giveUp).then();
});

test('what is under way is not sent twice', () => {
  given(webhookDelivery, requested).when({ type: 'Redeliver' }).then();
  given(webhookDelivery, requested, attempted).when({ type: 'Redeliver' }).then();
  given(webhookDelivery, ...gaveUp, again)
    .when({ type: 'Redeliver' })
    .then();
});

test('a delivery that was never requested, or is redacted, can’t be sent again', () => {
  given(webhookDelivery).when({ type: 'Redeliver' }).thenRefused('WebhookDeliveryNotFound');
  const hidden = { ...requested, data: { ...requested.data, private: { redacted: true } as const } };
  given(webhookDelivery, hidden, delivered).when({ type: 'Redeliver' }).thenRefused('WebhookDeliveryGone');
});

test('one whose submission is being redacted can’t be sent again; what tells of the redaction can [redaction-11]', () => {
  const again = { type: 'Redeliver', isRedacted: true } as const;
  given(webhookDelivery, requested, attempted, delivered).when(again).thenRefused('WebhookDeliveryGone');
  const told = {
    ...requested,
    data: { ...requested.data, eventType: 'submission.redacted' },
  } as typeof requested;
  given(webhookDelivery, told, attempted, delivered).when(again).thenTypes('WebhookRedeliveryRequested');
});

test('of one whose end alone was kept the outcome is known, and nothing can be sent', () => {
  const { state, when } = given(webhookDelivery, examples.WebhookFailed);
  assert.equal([state?.status, state?.attempts, state?.facts], ['failed', 4, deliveryFacts]);
  when({ type: 'Redeliver' }).thenRefused('WebhookDeliveryGone');
  when(request).then();
  when(worked(5)).then();
  given(webhookDelivery, delivered).when({ type: 'Redeliver' }).thenRefused('WebhookDeliveryGone');
});

test('an attempt of what was never requested is refused', () =>
  void given(webhookDelivery).when(worked(1)).thenRefused('WebhookDeliveryNotFound'));

test('it keeps the address and the bytes, and reads them as redacted without their key', () => {
  const { state } = given(webhookDelivery, requested);
  assert.equal([state?.url, state?.body], ['https://example.com/hook', '{"eventId":"x"}']);
  assert.equal(state?.facts, deliveryFacts);
  const hidden = { ...requested, data: { ...requested.data, private: { redacted: true } as const } };
  const { state: closed } = given(webhookDelivery, hidden);
  assert.equal([closed?.url, closed?.body], ['[redacted]', '[redacted]']);
});

test('it is sealed under the key of its submission, that of a batch under the batch’s', () => {
  assert.is(webhookDelivery.subject(requested), deliveryFacts.submissionId);
  const ofBatch = { ...requested, data: { ...requested.data, ...batchDeliveryFacts } };
  assert.is(webhookDelivery.subject(ofBatch), batchId);
  assert.is(webhookDeliveryStream('e'), 'webhookDelivery-e');
});

test('a redaction gives up what is pending, and reads address and bytes no more, once [redaction-6]', () => {
  const { WebhookRedacted: redacted } = examples;
  const redact: WebhookDeliveryCommand = { type: 'RedactDelivery' };
  const pending = given(webhookDelivery, requested).when(redact);
  pending.thenTypes('WebhookAttempted', 'WebhookFailed', 'WebhookRedacted');
  const { status, url, body, attempts } = pending.thenState() ?? {};
  assert.equal([status, url, body, attempts], ['failed', '[redacted]', '[redacted]', 1]);
  const ended = given(webhookDelivery, requested, attempted, delivered).when(redact);
  ended.thenTypes('WebhookRedacted');
  assert.is(ended.thenState()?.status, 'delivered');
  given(webhookDelivery, requested, delivered, redacted).when(redact).then();
  // Retention has left its end alone, and its address in the read models.
  given(webhookDelivery, delivered).when(redact).thenTypes('WebhookRedacted');
  given(webhookDelivery, redacted).when({ type: 'Redeliver' }).thenRefused('WebhookDeliveryGone');
});

test('the last webhook of a redacted submission is sealed by other keys than the submission [redaction-6]', () => {
  const facts = { ...deliveryFacts, eventType: 'submission.redacted' } as const;
  const subject = (data: object) =>
    webhookDelivery.subject({ ...requested, data: { ...requested.data, ...data } });
  assert.is(subject({}), deliveryFacts.submissionId);
  assert.is(subject(facts), `redaction_${deliveryFacts.submissionId.slice(4)}`);
  assert.is(subject({ ...facts, endpointId: 'whe_1' }), 'whe_1');
});
