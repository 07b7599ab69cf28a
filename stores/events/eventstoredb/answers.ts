import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { WrongExpectedRevision } from '../../../kernel/errors.ts';
import type { Metadata, Position } from '../../../kernel/event.ts';
import type { RecordedEvent } from '../port.ts';
import { type CallTarget, denied, notNow } from './failures.ts';
import { positionOf } from './positions.ts';

/** An event as it came, and its size. `open` parses it: only what this service wrote is sure to be JSON. */
export type Received = Readonly<NonNullable<ReturnType<typeof eventOf>>>;

/** The event of a message, if it brings one. */
export const eventOf = (message: ReadResp) => {
  const event = message.getEvent()?.getEvent();
  if (!event) return null;
  const stream = Buffer.from(event.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
  const position = positionIn(event);
  const revision = Number(event.getStreamRevision());
  const data = event.getData_asU8();
  const metadata = event.getCustomMetadata_asU8();
  const open = (): RecordedEvent => ({
    id: event.getId()?.getString() ?? '',
    type: event.getMetadataMap().get('type') ?? '',
    data: parse(data, stream, position) as RecordedEvent['data'],
    metadata: parse(metadata, stream, position) as Metadata,
    stream,
    revision,
    position,
  });
  return { stream, revision, position, data, bytes: data.length + metadata.length, open };
};

type Positioned = Readonly<{ getCommitPosition(): string; getPreparePosition(): string }>;

const positionIn = (message: Positioned): Position =>
  positionOf({ commit: message.getCommitPosition(), prepare: message.getPreparePosition() });

const parse = (bytes: Uint8Array, stream: string, position: Position): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  } catch (cause) {
    throw new Error(
      `the event of ${stream} at ${position} holds no JSON: it was not written by this service`,
      { cause },
    );
  }
};

/** The position of a message that reports a subscription's progress, if it is one. */
export const checkpointOf = (message: ReadResp): Position | null => {
  const checkpoint = message.getCheckpoint();
  return checkpoint ? positionIn(checkpoint) : null;
};

/**
 * Where an append ended; `position` is null when the server gives none. Throws `WrongExpectedRevision`,
 * `StoreUnavailable`, `StoreMisconfigured`.
 */
export const appendedOf = (
  answer: BatchAppendResp,
  stream: string,
  expected: 'none' | 'any' | number,
  target: CallTarget,
) => {
  const success = answer.getSuccess();
  if (!success) throw refusalOf(answer.getError(), stream, expected, target);
  const position = success.getPosition();
  return {
    revision: Number(success.getCurrentRevision()),
    position: position ? positionIn(position) : null,
  };
};

const refusalOf = (
  error: Status | undefined,
  stream: string,
  expected: 'none' | 'any' | number,
  target: CallTarget,
): Error => {
  const details = error?.getDetails();
  switch (details?.getTypeName()) {
    case 'event_store.client.WrongExpectedVersion': {
      const wrong = shared.WrongExpectedVersion.deserializeBinary(details.getValue_asU8());
      const actual = wrong.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : 'none';
      return new WrongExpectedRevision(stream, expected === 'any' ? 'none' : expected, actual);
    }
    case 'event_store.client.AccessDenied':
      return denied(target, `write to the stream ${stream}`);
    case 'event_store.client.MaximumAppendSizeExceeded':
    case 'event_store.client.MaximumAppendEventSizeExceeded':
      return new Error(
        `an append to ${stream} is larger than the event store takes (its MaxAppendSize, MaxAppendEventSize)`,
      );
    case 'event_store.client.StreamDeleted':
      return new Error(`the stream ${stream} has been deleted in the event store for ever`);
    default:
      return notNow(`${target.node}: ${error?.getMessage() || 'an append timed out'}`);
  }
};
