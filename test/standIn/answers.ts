import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import type {
  BatchAppendReq,
  BatchAppendResp,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, type StatusObject, status } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import type { Entry, Outcome } from './log.ts';

const streamId = (name: string) => new shared.StreamIdentifier().setStreamName(Buffer.from(name));

/** A message that brings an event. */
export const eventMessage = (entry: Entry): ReadResp => {
  const position = String(entry.commit);
  const event = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(entry.id))
    .setStreamIdentifier(streamId(entry.stream))
    .setStreamRevision(String(entry.revision))
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(entry.data)
    .setCustomMetadata(entry.metadata);
  event.getMetadataMap().set('type', entry.type).set('content-type', entry.contentType).set('created', '0');
  return new streams.ReadResp().setEvent(
    new streams.ReadResp.ReadEvent().setEvent(event).setCommitPosition(position),
  );
};

/** A message that says how far a subscription has looked. */
export const checkpointMessage = (position: string): ReadResp =>
  new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint().setCommitPosition(position).setPreparePosition(position),
  );

export const confirmationMessage = (): ReadResp =>
  new streams.ReadResp().setConfirmation(
    new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(crypto.randomUUID()),
  );

export const caughtUpMessage = (): ReadResp =>
  new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());

export const fellBehindMessage = (): ReadResp =>
  new streams.ReadResp().setFellBehind(new streams.ReadResp.FellBehind());

export const notFoundMessage = (stream: string): ReadResp =>
  new streams.ReadResp().setStreamNotFound(
    new streams.ReadResp.StreamNotFound().setStreamIdentifier(streamId(stream)),
  );

/** The answer to an append; `positionless` as some servers answer a repetition. */
export const appendAnswer = (
  request: BatchAppendReq,
  outcome: Outcome,
  positionless: boolean,
): BatchAppendResp => {
  if (!('last' in outcome)) return refusal(request, 'WrongExpectedVersion', wrongVersion(outcome.actual));
  const { last, repeated } = outcome;
  const success = new streams.BatchAppendResp.Success().setCurrentRevision(String(last.revision));
  const position = new shared.AllStreamPosition()
    .setCommitPosition(String(last.commit))
    .setPreparePosition(String(last.commit));
  if (repeated && positionless) success.setNoPosition(new shared.Empty());
  else success.setPosition(position);
  return answerTo(request).setSuccess(success);
};

const wrongVersion = (actual: number | null): Uint8Array => {
  const wrong = new shared.WrongExpectedVersion();
  if (actual === null) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentStreamRevision(String(actual));
  return wrong.serializeBinary();
};

/**
 * The answer to an append that is refused: the kind of the refusal as the server names it, or none with a
 * message.
 */
export const refusal = (
  request: BatchAppendReq,
  kind: string | null,
  value: Uint8Array = new Uint8Array(),
  message = '',
): BatchAppendResp => {
  const details = new any.Any();
  details.pack(value, kind === null ? 'google.protobuf.Empty' : `event_store.client.${kind}`);
  return answerTo(request).setError(new statuses.Status().setMessage(message).setDetails(details));
};

const answerTo = (request: BatchAppendReq): BatchAppendResp =>
  new streams.BatchAppendResp().setCorrelationId(request.getCorrelationId());

/** What a call ends with when the server refuses it. */
export const failed = (
  code: status,
  details: string,
  facts: Readonly<Record<string, string>> = {},
): StatusObject => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(facts)) metadata.set(name, value);
  return { code, details, metadata };
};

export const unauthenticated = (): StatusObject =>
  failed(status.UNAUTHENTICATED, 'Received HTTP status code 401');

export const accessDenied = (): StatusObject =>
  failed(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });

export const notReady = (): StatusObject => failed(status.UNAVAILABLE, 'Server Is Not Ready');

export const tooSlow = (): StatusObject =>
  failed(status.ABORTED, 'Operation timed out: Consumer too slow to handle event while live.');

export const notLeader = ({ host, port }: Readonly<{ host: string; port: number }>): StatusObject =>
  failed(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });
