import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import members from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ChannelCredentials, ChannelOptions, Metadata } from '@grpc/grpc-js';
import { type Address, type Endpoint, targetOf } from './address.ts';
import { endClient } from './ending.ts';
import { failureOf, notNow } from './failures.ts';

/** How to speak to any node. */
export type Means = Readonly<{
  credentials: ChannelCredentials;
  options: ChannelOptions;
  metadata: Metadata;
}>;

/** The node that leads a cluster: all seeds are asked, the first that knows wins. Throws `StoreUnavailable` when none does. */
export const findLeader = async ({ seeds, gossipMs }: Address, means: Means): Promise<Endpoint> => {
  try {
    return await Promise.any(seeds.map(async (seed) => leaderOf(await ask(seed, means, gossipMs))));
  } catch (error) {
    const reasons: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    const failures = reasons.map(failureOf);
    // A wrong password is a better reason than a node that is down.
    throw (failures.find(({ again }) => !again) ?? failures[0])?.error ?? notNow('no node was named');
  }
};

const ask = (
  seed: Endpoint,
  { credentials, options, metadata }: Means,
  patienceMs: number,
): Promise<ClusterInfo> =>
  new Promise((resolve, reject) => {
    const client = new gossip.GossipClient(targetOf(seed), credentials, options);
    client.read(new shared.Empty(), metadata, { deadline: Date.now() + patienceMs }, (error, info) => {
      endClient(client);
      if (error) reject(error);
      else resolve(info);
    });
  });

const leaderOf = (info: ClusterInfo): Endpoint => {
  const { LEADER } = members.MemberInfo.VNodeState;
  const leader = info.getMembersList().find((member) => member.getIsAlive() && member.getState() === LEADER);
  const endpoint = leader?.getHttpEndPoint();
  if (!endpoint) throw notNow('its cluster has no leader');
  return { host: endpoint.getAddress(), port: endpoint.getPort() };
};
