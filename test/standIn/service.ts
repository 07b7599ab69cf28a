import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type {
  BatchAppendReq,
  BatchAppendResp,
  ReadReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  type Metadata,
  type ServerDuplexStream,
  type ServerWritableStream,
  type StatusObject,
  status,
} from '@grpc/grpc-js';
import {
  accessDenied,
  eventMessage,
  failed,
  notFoundMessage,
  notLeader,
  notReady,
  unauthenticated,
} from './answers.ts';
import { takeAppends } from './appends.ts';
import type { Faults } from './faults.ts';
import type { Entry, Log } from './log.ts';
import { subscribe } from './subscription.ts';
import { mayReadAll, refusalOfLogin, type Users } from './users.ts';

/**
 * What a stand-in has been asked, how many appends it had to answer at once at most, how many events it has
 * sent, and who asked last.
 */
export type Tally = {
  reads: number;
  appends: number;
  appendsAtOnce: number;
  sent: number;
  authorization: string;
};

/** What a stand-in's calls work with. `open` holds those that go on until somebody ends them. */
export type Ground = Readonly<{
  log: Log;
  faults: Faults;
  users: Users;
  /** Is told of every request to read or to append. */
  seen(request: ReadReq | BatchAppendReq, metadata: Metadata): void;
  tally: Tally;
  open: Readonly<{
    subscriptions: Set<ServerWritableStream<ReadReq, ReadResp>>;
    appends: Set<ServerDuplexStream<BatchAppendReq, BatchAppendResp>>;
  }>;
}>;

/** The service of streams, as far as the driver uses it. */
export const streamsService = (ground: Ground): IStreamsServer => ({
  read: (call) => {
    ground.seen(call.request, call.metadata);
    ground.tally.reads += 1;
    if (ground.faults.stalled) return;
    const refused = refusalOf(ground, call.metadata) ?? refusalOfAll(ground, call.request, call.metadata);
    if (refused) call.emit('error', refused);
    else
      answerRead(call, ground).catch((error: Error) => {
        // A caller that has gone away can be told nothing more.
        if (!call.cancelled) call.emit('error', failed(status.UNKNOWN, error.message));
      });
  },
  batchAppend: (call) => {
    const refused = ground.faults.stalled ? null : refusalOf(ground, call.metadata);
    if (refused) call.emit('error', refused);
    else takeAppends(call, ground);
  },
  append: (_call, callback) => callback(unimplemented()),
  delete: (_call, callback) => callback(unimplemented()),
  tombstone: (_call, callback) => callback(unimplemented()),
});

const unimplemented = (): StatusObject => failed(status.UNIMPLEMENTED, 'not part of the stand-in');

/** Why a call is not answered, if it is not. */
export const refusalOf = ({ faults, users, tally }: Ground, metadata: Metadata): StatusObject | null => {
  tally.authorization = String(metadata.get('authorization')[0] ?? '');
  if (faults.refuses === 'authentication') return unauthenticated();
  const refused = refusalOfLogin(users, metadata);
  if (refused) return refused;
  if (faults.refuses === 'all') return notReady();
  if (faults.leader && metadata.get('requires-leader')[0] === 'true') return notLeader(faults.leader);
  return null;
};

const refusalOfAll = (
  { faults, users, log }: Ground,
  request: ReadReq,
  metadata: Metadata,
): StatusObject | null => {
  if (!request.getOptions()?.hasAll()) return null;
  if (faults.refuses === 'positions') return failed(status.INVALID_ARGUMENT, 'Invalid position');
  return faults.refuses === '$all' || !mayReadAll(users, log, metadata) ? accessDenied() : null;
};

const answerRead = async (call: ServerWritableStream<ReadReq, ReadResp>, ground: Ground): Promise<void> => {
  const options = call.request.getOptions();
  if (!options) return;
  if (options.hasSubscription()) {
    ground.open.subscriptions.add(call);
    await subscribe(call, options, ground);
    ground.open.subscriptions.delete(call);
    return;
  }
  const stream = options.getStream();
  const name = Buffer.from(stream?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
  const entries = stream ? ground.log.stream(name) : ground.log.all();
  if (stream && entries.length === 0) call.write(notFoundMessage(name));
  for (const entry of selected(entries, options)) call.write(eventMessage(entry));
  call.end();
};

const selected = (entries: readonly Entry[], options: ReadReq.Options): readonly Entry[] => {
  const count = Number(options.getCount());
  const { BACKWARDS } = streams.ReadReq.Options.ReadDirection;
  if (options.getReadDirection() === BACKWARDS) {
    const end = Number(options.getAll()?.getPosition()?.getCommitPosition() ?? Number.POSITIVE_INFINITY);
    return entries
      .filter(({ commit }) => commit < end)
      .slice(-count)
      .reverse();
  }
  const from = Number(options.getStream()?.getRevision() || 0);
  return entries.filter(({ revision }) => revision >= from).slice(0, count);
};

/** What the server says of itself. */
export const supportedMethods = ({ faults }: Ground): SupportedMethods =>
  new features.SupportedMethods()
    .setEventStoreServerVersion(faults.version)
    .setMethodsList(
      ['append', 'batchappend', 'read'].map((method) =>
        new features.SupportedMethod()
          .setServiceName('event_store.client.streams.streams')
          .setMethodName(method),
      ),
    );
