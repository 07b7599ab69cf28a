import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { Metadata } from '@grpc/grpc-js';
import { isPassing, StoreMisconfigured, StoreUnavailable } from '../../../kernel/errors.ts';
import { jittered } from '../../../kernel/signals.ts';
import type { Address, Endpoint } from './address.ts';
import { channelSettings, openChannel } from './channel.ts';
import { diagnose, hasUser } from './diagnosis.ts';
import { findLeader, leadershipOf, type WhileLeading } from './discovery.ts';
import { type CallTarget, failureOf, notNow } from './failures.ts';
import { versionOf } from './version.ts';

/**
 * A way to the node that leads, until a call on it fails: then it is `lost`, and what continues on it may be
 * with a node that leads no more. `skipsFirst`: its server starts a subscription behind the first event that
 * it finds at a position or after it, even when that is another one.
 */
export type Line = CallTarget &
  Readonly<{
    streams: StreamsClient;
    metadata: Metadata;
    skipsFirst: boolean;
    lost: AbortSignal;
  }>;

/** The client for calls. Throws `StoreUnavailable` for a lost line: the client's own error is unspecific. */
export const callsOn = ({ streams, lost }: Line): StreamsClient => {
  if (lost.aborted) throw notNow('the connection was given up');
  return streams;
};

/** The one connection of a store, made anew whenever it breaks. */
export type Connection = Readonly<{
  /** The present line, or a new one. Throws what the server, or its absence, gives as a reason. */
  line(): Promise<Line>;
  /** What a failed call means. The line is not used again when the fault may lie with it. */
  failed(line: Line | null, error: unknown): Readonly<{ error: Error; again: boolean }>;
  /** Attempts until one succeeds, for two seconds and at least twice. Attempts must be idempotent. */
  retrying<T>(attempt: (line: Line) => Promise<T>): Promise<T>;
  close(): void;
}>;

type Options = Readonly<{ address: Address; answerMs: number; closed: AbortSignal }>;

const PATIENCE_MS = 2_000;
const FIRST_DELAY_MS = 50;

/** Connects at the first call. */
export const connect = ({ address, answerMs, closed }: Options): Connection => {
  const settings = channelSettings(address, closed);
  const asUser = hasUser(address);
  const answerOf = address.cluster ? leadershipOf(address, settings) : unwatched;
  let current: Promise<Line> | null = null;
  let opened: Readonly<{ line: Line; lose(): void }> | null = null;
  let leader: Endpoint | undefined;

  const open = async (): Promise<Line> => {
    const endpoint = leader ?? (address.cluster ? await findLeader(address, settings) : address.seeds[0]);
    // For one attempt: if a leader that was named is down, the seeds give a newer one.
    leader = undefined;
    if (!endpoint) throw new StoreMisconfigured('The connection string of the event store names no host.');
    const { channel, node, end } = openChannel(endpoint, settings);
    try {
      const { skipsFirst } = await answerOf(node, versionOf(channel, settings, answerMs));
      const losing = new AbortController();
      setMaxListeners(0, losing.signal); // each subscription listens
      const client = new streams.StreamsClient('', settings.credentials, { channelOverride: channel });
      const { metadata } = settings;
      const line = { node, asUser, streams: client, metadata, skipsFirst, lost: losing.signal };
      const lose = (): void => {
        losing.abort();
        end(); // appends under way on it may still be answered
      };
      opened = { line, lose };
      return line;
    } catch (reason) {
      end();
      const failure = await diagnose(reason, endpoint, address, settings);
      leader = failure.leader;
      throw failure.error;
    }
  };

  const line = (): Promise<Line> => {
    if (closed.aborted) throw new StoreUnavailable('this store has been closed');
    if (current) return current;
    const opening = open();
    current = opening;
    opening.catch(() => {
      if (current === opening) current = null;
    });
    return opening;
  };

  const failed: Connection['failed'] = (broken, reason) => {
    // Of a line that did not open the reason has been found already.
    if (broken === null) return { error: reason as Error, again: isPassing(reason) };
    const failure = failureOf(reason, broken);
    if (failure.leader) leader = failure.leader;
    if (failure.again && !failure.callOnly && broken === opened?.line) {
      const { lose } = opened;
      current = null;
      opened = null;
      lose();
    }
    return failure;
  };

  const retrying: Connection['retrying'] = async (attempt) => {
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

  return {
    line: async () => line(),
    failed,
    retrying,
    close: () => {
      current = null;
      opened?.lose();
    },
  };
};

/** A single node has no others that name its leader. */
const unwatched: WhileLeading = (_node, answer) => answer;
