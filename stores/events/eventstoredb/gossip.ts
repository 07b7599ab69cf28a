import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { ClusterInfo, MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import states from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Metadata } from '@grpc/grpc-js';
import type { Endpoint } from './address.ts';
import { type ChannelSettings, openChannel } from './channel.ts';
import { isRefusal } from './failures.ts';

/**
 * The members of a cluster as one of its nodes lists them. Without a user: a node that has no data yet,
 * or is not ready, has none and would refuse the right password too. Throws what the call failed with.
 */
export const membersAt = async (
  endpoint: Endpoint,
  settings: ChannelSettings,
): Promise<readonly MemberInfo[]> => {
  const { gossipMs, user } = settings.address;
  const { channel, end } = openChannel(endpoint, settings);
  const client = new gossip.GossipClient('', settings.credentials, { channelOverride: channel });
  const ask = (metadata: Metadata): Promise<ClusterInfo> =>
    new Promise((resolve, reject) => {
      client.read(new shared.Empty(), metadata, { deadline: Date.now() + gossipMs }, (error, info) =>
        error ? reject(error) : resolve(info),
      );
    });
  try {
    const info = await ask(settings.anonymous).catch((error) => {
      if (user === null || !isRefusal(error)) throw error;
      return ask(settings.metadata);
    });
    return info.getMembersList();
  } finally {
    end();
  }
};

/** The member that leads; null when none does. */
export const leaderAmong = (members: readonly MemberInfo[]): Endpoint | null => {
  const { LEADER } = states.MemberInfo.VNodeState;
  const leader = members.find((member) => member.getIsAlive() && member.getState() === LEADER);
  const endpoint = leader?.getHttpEndPoint();
  return endpoint ? { host: endpoint.getAddress(), port: endpoint.getPort() } : null;
};
