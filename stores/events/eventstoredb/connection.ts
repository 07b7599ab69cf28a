import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { type ChannelCredentials, type ChannelOptions, credentials, Metadata } from '@grpc/grpc-js';
import { StoreMisconfigured, StoreUnavailable } from '../../errors.ts';
import { type Address, type Endpoint, targetOf } from './address.ts';
import { findLeader, type Means } from './discovery.ts';
import { endClient } from './ending.ts';
import { failureOf, notNow } from './failures.ts';

/**
 * A way to the node that leads, until a call on it fails: then it is `lost`, and what goes on along it may be with a node that leads no more.
 * `skipsFirst`: its server begins a subscription behind the first event that it finds at a position or after it, even when that is another one.
 */
export type Line = Readonly<{
  streams: StreamsClient;
  metadata: Metadata;
  skipsFirst: boolean;
  lost: AbortSignal;
}>;

/** What calls are made with. Throws `StoreUnavailable` for a line that is lost: what the client throws then is an error of no kind. */
export const callsOn = ({ streams, lost }: Line): StreamsClient => {
  if (lost.aborted) throw notNow('the connection was given up');
  return streams;
};

/** The one connection of a store, made anew whenever it breaks. */
export type Connection = Readonly<{
  /** The present line, or a new one. Throws what the server, or its absence, gives as a reason. */
  line(): Promise<Line>;
  /** Tells that a call on a line failed: what that means. The line is not used again when the fault may lie with it. */
  failed(line: Line | null, error: unknown): Readonly<{ error: Error; again: boolean }>;
  /** Makes attempts until one succeeds, for two seconds and at least twice. Attempts must be such that repeating does no harm. */
  patiently<T>(attempt: (line: Line) => Promise<T>): Promise<T>;
  close(): void;
}>;

type Options = Readonly<{ address: Address; answerMs: number; closed: AbortSignal }>;

const PATIENCE_MS = 2_000;
const FIRST_DELAY_MS = 50;

/** Connects when first asked to. */
export const connect = ({ address, answerMs, closed }: Options): Connection => {
  const means = meansOf(address);
  let current: Promise<Line> | null = null;
  let opened: Readonly<{ line: Line; lose(): void }> | null = null;
  let leader: Endpoint | undefined;

  const open = async (): Promise<Line> => {
    const endpoint = leader ?? (address.cluster ? await findLeader(address, means) : address.seeds[0]);
    // For one attempt: a leader that was named may be gone, and then the seeds know more.
    leader = undefined;
    if (!endpoint) throw new StoreMisconfigured('The connection string of the event store names no host.');
    const client = new streams.StreamsClient(targetOf(endpoint), means.credentials, means.options);
    const version = await versionOf(client, means, answerMs).catch((error: unknown) => {
      endClient(client);
      throw error;
    });
    const losing = new AbortController();
    setMaxListeners(0, losing.signal); // each subscription listens
    const skipsFirst = !isFrom(version, COMPARES);
    const line = { streams: client, metadata: means.metadata, skipsFirst, lost: losing.signal };
    opened = { line, lose: () => losing.abort() };
    return line;
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

  const failed: Connection['failed'] = (broken, error) => {
    const failure = failureOf(error);
    if (failure.leader) leader = failure.leader;
    if (failure.again && !failure.callOnly && broken !== null && broken === opened?.line) {
      const { lose } = opened;
      current = null;
      opened = null;
      lose();
      endClient(broken.streams); // appends under way on it may still be answered
    }
    return failure;
  };

  const patiently: Connection['patiently'] = async (attempt) => {
    const end = performance.now() + PATIENCE_MS;
    for (let tries = 1, delay = FIRST_DELAY_MS; ; tries += 1, delay *= 2) {
      let used: Line | null = null;
      try {
        used = await line();
        return await attempt(used);
      } catch (reason) {
        const { error, again } = failed(used, reason);
        if (!again || closed.aborted || (tries > 1 && performance.now() + delay > end)) throw error;
      }
      await sleep(delay * (0.5 + Math.random() / 2));
    }
  };

  return {
    line: async () => line(),
    failed,
    patiently,
    close: () => {
      const last = current;
      current = null;
      opened?.lose();
      last?.then(
        ({ streams: client }) => endClient(client),
        () => undefined, // what did not open needs no end
      );
    },
  };
};

const meansOf = ({ tls, user, keepAliveMs, keepAliveTimeoutMs, connectionName }: Address): Means => {
  const metadata = new Metadata();
  // A node that does not lead may lag behind what was just written; it names the leader instead.
  metadata.set('requires-leader', 'true');
  metadata.set('connection-name', connectionName);
  if (user && tls)
    metadata.set('authorization', `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`);
  const options: ChannelOptions = {
    'grpc.keepalive_time_ms': keepAliveMs,
    'grpc.keepalive_timeout_ms': keepAliveTimeoutMs,
    'grpc.max_receive_message_length': 17 * 1024 * 1024, // the server stores up to 16 MB from other clients
    'grpc.enable_http_proxy': 0,
    'grpc.enable_retries': 0,
    // Not shared: a new line waits for no back-off, which grows to two minutes, of an older one.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.dns_min_time_between_resolutions_ms': 1_000,
  };
  return { credentials: tls ? secure(tls) : credentials.createInsecure(), options, metadata };
};

const secure = ({ ca, key, certificate, verify }: NonNullable<Address['tls']>): ChannelCredentials =>
  credentials.createSsl(
    ca,
    key,
    certificate,
    verify ? {} : { rejectUnauthorized: false, checkServerIdentity: () => undefined },
  );

type Version = readonly [major: number, minor: number];

/** The first that says when a subscription has caught up. */
const OLDEST: Version = [23, 10];
/** The first that compares positions where a subscription begins, instead of counting events. */
const COMPARES: Version = [24, 2];

const isFrom = ([major, minor]: Version, [fromMajor, fromMinor]: Version): boolean =>
  major > fromMajor || (major === fromMajor && minor >= fromMinor);

/** Throws `StoreMisconfigured` for a server that is none of ours or too old. */
const versionOf = (
  client: StreamsClient,
  { credentials, metadata }: Means,
  patienceMs: number,
): Promise<Version> =>
  new Promise((resolve, reject) => {
    const asking = new features.ServerFeaturesClient('', credentials, {
      channelOverride: client.getChannel(),
    });
    asking.getSupportedMethods(
      new shared.Empty(),
      metadata,
      { deadline: Date.now() + patienceMs },
      (error, found) => {
        if (error) return reject(error);
        const text = found.getEventStoreServerVersion();
        const [major = 0, minor = 0] = text.split('.').map((part) => Number.parseInt(part, 10));
        if (isFrom([major, minor], OLDEST)) return resolve([major, minor]);
        reject(new StoreMisconfigured(`The event store is of version ${text}: it must be 23.10 or newer.`));
      },
    );
  });
