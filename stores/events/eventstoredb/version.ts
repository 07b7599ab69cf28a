import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Channel } from '@grpc/grpc-js';
import { StoreMisconfigured } from '../../../kernel/errors.ts';
import type { ChannelSettings } from './channel.ts';

type Version = readonly [major: number, minor: number];

/** The first that reports when a subscription has caught up. */
const OLDEST: Version = [23, 10];
/** The first that compares positions where a subscription starts, instead of counting events. */
const COMPARES: Version = [24, 2];

const isFrom = ([major, minor]: Version, [fromMajor, fromMinor]: Version): boolean =>
  major > fromMajor || (major === fromMajor && minor >= fromMinor);

/** `skipsFirst` as in `Line`. Throws `StoreMisconfigured` for another server, or one that is too old. */
export const versionOf = (
  channel: Channel,
  { credentials, metadata }: ChannelSettings,
  answerMs: number,
): Promise<Readonly<{ skipsFirst: boolean }>> =>
  new Promise((resolve, reject) => {
    const asking = new features.ServerFeaturesClient('', credentials, { channelOverride: channel });
    const deadline = Date.now() + answerMs;
    asking.getSupportedMethods(new shared.Empty(), metadata, { deadline }, (error, found) => {
      if (error) return reject(error);
      const text = found.getEventStoreServerVersion();
      const [major = 0, minor = 0] = text.split('.').map((part) => Number.parseInt(part, 10));
      if (isFrom([major, minor], OLDEST)) return resolve({ skipsFirst: !isFrom([major, minor], COMPARES) });
      reject(new StoreMisconfigured(`The event store is of version ${text}: it must be 23.10 or newer.`));
    });
  });
