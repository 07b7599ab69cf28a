import type { IGossipServer } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type { IServerFeaturesServer } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import streamsRpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import usersRpc from '@eventstore/db-client/generated/users_grpc_pb.js';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { Endpoint } from '../../stores/events/eventstoredb/address.ts';
import { tooSlow } from './answers.ts';
import { type Faults, well } from './faults.ts';
import { createLog, type Log } from './log.ts';
import { type Ground, refusalOf, streamsService, supportedMethods, type Tally } from './service.ts';
import { type User, type Users, usersFor, usersService } from './users.ts';

/**
 * What a stand-in is told: `log` to share one with another, as nodes of a cluster do; `user` is the
 * administrator, and then every caller must be a user; a key and its certificate (PEM) for TLS; `seen` hears
 * every request.
 */
type Options = Readonly<{
  port?: number;
  log?: Log;
  user?: User;
  tls?: Readonly<{ key: string; cert: string }>;
  seen?: Ground['seen'];
}>;

/** An EventStoreDB to test with, that keeps its log in memory and does as it is told. */
export type StandIn = Readonly<{
  port: number;
  connectionString: string;
  log: Log;
  faults: Faults;
  tally: Tally;
  users: Users;
  /** How many calls go on: subscriptions, and those that take appends. */
  calls(): Readonly<{ subscriptions: number; appends: number }>;
  /** Ends every subscription without an error, as a server does that shuts down. */
  endSubscriptions(): void;
  /** Ends every subscription as too slow a reader's, as servers of 23.10 do. */
  dropSubscriptions(): void;
  /** Ends every call that takes appends, likewise. */
  endAppends(): void;
  /** Is gone, with every connection, until `start`; the log stays. */
  stop(): Promise<void>;
  start(): Promise<void>;
}>;

/** Starts a stand-in on a port of this machine's own, which it keeps. */
export const startStandIn = async (options: Options = {}): Promise<StandIn> => {
  const log = options.log ?? createLog();
  const faults = well();
  const open = { subscriptions: new Set(), appends: new Set() } as Ground['open'];
  const tally = { reads: 0, appends: 0, appendsAtOnce: 0, sent: 0, authorization: '' };
  const users = usersFor(options.user ?? null);
  const ground: Ground = {
    log,
    faults,
    users,
    seen: options.seen ?? (() => undefined),
    tally,
    open,
  };
  let port = options.port ?? 0;
  let server: Server | null = null;

  const start = async (): Promise<void> => {
    if (server) return;
    const starting = serverFor(ground, () => faults.leader ?? { host: '127.0.0.1', port });
    port = await listen(starting, port, options.tls);
    server = starting;
  };
  const stop = async (): Promise<void> => {
    server?.forceShutdown();
    server = null;
    open.subscriptions.clear();
    open.appends.clear();
  };
  await start();
  return {
    port,
    connectionString: `esdb://127.0.0.1:${port}${options.tls ? '' : '?tls=false'}`,
    log,
    faults,
    tally,
    users,
    calls: () => ({ subscriptions: open.subscriptions.size, appends: open.appends.size }),
    endSubscriptions: () => {
      for (const call of open.subscriptions) call.end();
    },
    dropSubscriptions: () => {
      for (const call of open.subscriptions) call.emit('error', tooSlow());
    },
    endAppends: () => {
      for (const call of open.appends) call.end();
    },
    stop,
    start,
  };
};

const serverFor = (ground: Ground, leader: () => Endpoint): Server => {
  const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
  server.addService(streamsRpc.StreamsService, streamsService(ground));
  server.addService(featuresService.ServerFeaturesService, featuresOf(ground));
  server.addService(usersRpc.UsersService, usersService(ground.users));
  server.addService(gossipService.GossipService, gossipOf(ground, leader));
  return server;
};

const featuresOf = (ground: Ground): IServerFeaturesServer => ({
  getSupportedMethods: (call, callback) => {
    if (ground.faults.stalled) return;
    const refused = refusalOf(ground, call.metadata);
    callback(refused, refused ? null : supportedMethods(ground));
  },
});

/** Whoever names no user may ask, as on a server. */
const gossipOf = (ground: Ground, leader: () => Endpoint): IGossipServer => ({
  read: ({ metadata }, callback) => {
    const { stalled, leaderless } = ground.faults;
    const refused = metadata.get('authorization').length > 0 ? refusalOf(ground, metadata) : null;
    if (!stalled) callback(refused, refused ? null : clusterOf(leader(), leaderless));
  },
});

const clusterOf = ({ host, port }: Endpoint, leaderless: boolean): ClusterInfo => {
  const { LEADER, FOLLOWER, UNKNOWN } = gossip.MemberInfo.VNodeState;
  const member = (state: 2 | 6 | 8, address: string, at: number) =>
    new gossip.MemberInfo()
      .setState(state)
      .setIsAlive(true)
      .setHttpEndPoint(new gossip.EndPoint().setAddress(address).setPort(at));
  return new gossip.ClusterInfo().setMembersList([
    member(FOLLOWER, '192.0.2.1', 2113),
    member(leaderless ? UNKNOWN : LEADER, host, port),
  ]);
};

const listen = (server: Server, port: number, tls: Options['tls']): Promise<number> => {
  const credentials = tls
    ? ServerCredentials.createSsl(null, [
        { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) },
      ])
    : ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
};
