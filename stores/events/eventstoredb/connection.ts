import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { Channel, Metadata } from '@grpc/grpc-js';
import { isPassing, StoreMisconfigured, StoreUnavailable } from '../../../kernel/errors.ts';
import { jittered } from '../../../kernel/signals.ts';
import type { Address, Endpoint } from './address.ts';
import { type ChannelSettings, channelSettings, openChannel } from './channel.ts';
import { diagnose } from './diagnosis.ts';
import { findLeader, whileLeading } from './discovery.ts';
import { type CallTarget, type Failure, failureOf, notNow } from './failures.ts';

/**
 * A way to the node that leads, until a call on it fails: then it is `lost`, and what continues on it may be
 * with a node that leads no more. `skipsFirst`: its server starts a subscription after the first event that
 * it finds at a position or after it, even when that is another one.
 */
export type Line = CallTarget &
  Readonly<{
    streams: StreamsClient;
    metadata: Metadata;
    skipsFirst: boolean;
    lost: AbortSignal;
    lose(): void;
  }>;

/** The client for calls. Throws `StoreUnavailable` for a lost line: the client's own error is unspecific. */
export const callsOn = ({ streams, lost }: Line): StreamsClient => {
  if (lost.aborted) throw notNow('the connection was given up');
  return streams;
};

export type Connection = ReturnType<typeof connect>;

/** `closed` ends it. `answerMs`: how long an answer may take. */
type Options = Readonly<{ address: Address; answerMs: number; closed: AbortSignal }>;

const PATIENCE_MS = 2_000;
const FIRST_DELAY_MS = 50;

/** The one connection of a store, made at the first call and anew whenever it breaks. */
export const connect = ({ address, answerMs, closed }: Options) => {
  const settings = channelSettings(address, closed);
  const answerOf = whileLeading(settings);
  let current: Promise<Line> | null = null;
  let leader: Endpoint | undefined;

  const open = async (): Promise<Line> => {
    const endpoint = leader ?? (await findLeader(settings));
    // For one attempt: if a leader that was named is down, the seeds give a newer one.
    leader = undefined;
    const { channel, node, end } = openChannel(endpoint, settings);
    try {
      const { skipsFirst } = await answerOf(node, versionOf(channel, settings, answerMs));
      const losing = new AbortController();
      setMaxListeners(0, losing.signal); // each subscription listens
      const client = new streams.StreamsClient('', settings.credentials, { channelOverride: channel });
      const { asUser, metadata } = settings;
      const lose = (): void => {
        losing.abort();
        end(); // appends under way on it may still be answered
      };
      return { node, asUser, streams: client, metadata, skipsFirst, lost: losing.signal, lose };
    } catch (reason) {
      end();
      const failure = await diagnose(reason, endpoint, settings);
      leader = failure.leader;
      throw failure.error;
    }
  };

  /** The present line, or a new one. Throws what the server, or its absence, gives as a reason. */
  const line = async (): Promise<Line> => {
    if (closed.aborted) throw new StoreUnavailable('this store has been closed');
    if (current) return current;
    const opening = open();
    current = opening;
    opening.catch(() => {
      if (current === opening) current = null;
    });
    return opening;
  };

  /** What a failed call means. The line is not used again when the fault may lie with it. */
  const failed = (broken: Line | null, reason: unknown): Failure => {
    // Of a line that did not open the reason has been found already.
    if (broken === null) return { error: reason as Error, again: isPassing(reason) };
    const failure = failureOf(reason, broken);
    if (failure.leader) leader = failure.leader;
    if (failure.again && !failure.callOnly && !broken.lost.aborted) {
      current = null;
      broken.lose();
    }
    return failure;
  };

  /** Attempts until one succeeds, for two seconds and at least twice. Attempts must be idempotent. */
  const retrying = async <T>(attempt: (line: Line) => Promise<T>): Promise<T> => {
    const end = performance.now() + PATIENCE_MS;
    for (let tries = 1, delay = FIRST_DELAY_MS; ; tries += 1, delay *= 2) {
      let used: Line | null = null;
      try {
        used = await line();
        return await answerOf(used.node, attempt(used));
      } catch (reason) {
        const { error, again } = failed(used, reason);
        if (!again || closed.aborted || (tries > 1 && performance.now() + delay > end)) throw error;
      }
      await sleep(jittered(delay));
    }
  };
  return { line, failed, retrying };
};

// Versions as numbers: 23.10 is 2310.
/** The first that reports when a subscription has caught up. */
const OLDEST = 2310;
/** The first that compares positions where a subscription starts, instead of counting events. */
const COMPARES = 2402;

/** `skipsFirst` as in `Line`. Throws `StoreMisconfigured` for another server, or one that is too old. */
const versionOf = (
  channel: Channel,
  { credentials, metadata }: ChannelSettings,
  answerMs: number,
): Promise<Readonly<{ skipsFirst: boolean }>> =>
  new Promise((resolve, reject) => {
    const client = new features.ServerFeaturesClient('', credentials, { channelOverride: channel });
    const deadline = Date.now() + answerMs;
    client.getSupportedMethods(new shared.Empty(), metadata, { deadline }, (error, found) => {
      if (error) return reject(error);
      const text = found.getEventStoreServerVersion();
      const [major = 0, minor = 0] = text.split('.').map((part) => Number.parseInt(part, 10));
      const version = major * 100 + minor;
      if (version >= OLDEST) return resolve({ skipsFirst: version < COMPARES });
      reject(new StoreMisconfigured(`The event store is of version ${text}: it must be 23.10 or newer.`));
    });
  });
