import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq, ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '../../../kernel/event.ts';
import type { NewRow } from '../newRows.ts';
import { origin, parsePosition } from './positions.ts';

/** The stream of the log's markers, which every follower gets whatever its prefixes. */
export const MARKER = 'intakeLogMarker';
/** The type of its events. */
export const MARKED = 'LogMarked';

/** `any`: wherever the stream ends. */
export type Expected = 'none' | 'any' | number;

/** What to append, under an id that its answer will bear. */
export const appendRequest = (
  correlationId: string,
  stream: string,
  expected: Expected,
  rows: readonly NewRow[],
): BatchAppendReq => {
  const options = new streams.BatchAppendReq.Options().setStreamIdentifier(streamId(stream));
  if (expected === 'any') options.setAny(new shared.Empty());
  else if (expected === 'none') options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(expected));
  return new streams.BatchAppendReq()
    .setCorrelationId(uuid(correlationId))
    .setOptions(options)
    .setProposedMessagesList(rows.map(proposed))
    .setIsFinal(true);
};

const proposed = ({ id, type, data, metadata }: NewRow): BatchAppendReq.ProposedMessage => {
  const message = new streams.BatchAppendReq.ProposedMessage()
    .setId(uuid(id))
    .setData(Buffer.from(data))
    .setCustomMetadata(Buffer.from(metadata));
  // As JSON it is readable in the server's own pages.
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
};

/** Up to `count` events of a stream from a revision on, or its newest one. */
export const streamRequest = (stream: string, from: number | 'newest', count: number): ReadReq => {
  const place = new streams.ReadReq.Options.StreamOptions().setStreamIdentifier(streamId(stream));
  if (from === 'newest') place.setEnd(new shared.Empty());
  else place.setRevision(String(from));
  return finite(readOptions().setStream(place), count, from === 'newest' ? BACKWARDS : FORWARDS);
};

/** The newest `count` events of the whole log, or of what lies before a position, the newest first. */
export const newestRequest = (count: number, before?: Position): ReadReq => {
  const end = new streams.ReadReq.Options.AllOptions().setEnd(new shared.Empty());
  return finite(readOptions().setAll(before === undefined ? end : allFrom(before)), count, BACKWARDS);
};

const { FORWARDS, BACKWARDS } = streams.ReadReq.Options.ReadDirection;

const finite = (options: ReadReq.Options, count: number, direction: 0 | 1): ReadReq =>
  new streams.ReadReq().setOptions(
    options.setCount(String(count)).setNoFilter(new shared.Empty()).setReadDirection(direction),
  );

// How many events the server scans at once, and how many such scans lie between two checkpoints.
const WINDOW = 1_000;
const WINDOWS_A_CHECKPOINT = 10;

/**
 * All events after a position (without the one there), those that are there and those that will come: those
 * of `types` alone where they are given, else of streams with one of the prefixes; markers always.
 */
export const subscriptionRequest = (
  after: Position,
  prefixes: readonly string[],
  types?: readonly string[],
): ReadReq => {
  const filter = new streams.ReadReq.Options.FilterOptions()
    .setMax(WINDOW)
    .setCheckpointintervalmultiplier(WINDOWS_A_CHECKPOINT);
  const expression = new streams.ReadReq.Options.FilterOptions.Expression();
  if (types) filter.setEventType(expression.setPrefixList([...types, MARKED]));
  else if (prefixes.includes('')) filter.setStreamIdentifier(expression.setRegex('^[^$]'));
  else filter.setStreamIdentifier(expression.setPrefixList([...prefixes, MARKER]));
  const options = readOptions()
    .setAll(allFrom(after))
    .setSubscription(new streams.ReadReq.Options.SubscriptionOptions())
    .setFilter(filter);
  return new streams.ReadReq().setOptions(options);
};

const allFrom = (after: Position): ReadReq.Options.AllOptions => {
  const all = new streams.ReadReq.Options.AllOptions();
  if (after === origin) return all.setStart(new shared.Empty());
  const { commit, prepare } = parsePosition(after);
  const place = new streams.ReadReq.Options.Position().setCommitPosition(commit).setPreparePosition(prepare);
  return all.setPosition(place);
};

const readOptions = (): ReadReq.Options =>
  new streams.ReadReq.Options()
    .setResolveLinks(false)
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()));

const streamId = (name: string) => new shared.StreamIdentifier().setStreamName(Buffer.from(name));

const uuid = (text: string) => new shared.UUID().setString(text);
