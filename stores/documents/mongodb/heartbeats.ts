import type { MongoClient } from './client.ts';

/**
 * Watches the client's heartbeats. Calls `stuck` when one of them has neither succeeded nor failed for longer
 * than one can take: by itself the client would find no server any more, ever. So ends a heartbeat that is
 * written to a connection while that breaks (mongodb 7.9.0: what waits for `drain` of a socket that is
 * destroyed already waits for good, and the next one starts when the last one has ended).
 */
export const watchHeartbeats = (client: MongoClient, stuck: () => void): void => {
  const timers = new Map<string, NodeJS.Timeout>();
  const ended = (address: string): void => {
    clearTimeout(timers.get(address));
    timers.delete(address);
  };
  client.on('serverHeartbeatStarted', ({ connectionId: address }) => {
    ended(address);
    const late = (): void => void timers.set(address, setTimeout(stuck, TURN_MS).unref());
    timers.set(address, setTimeout(late, MAX_HEARTBEAT_MS).unref());
  });
  client.on('serverHeartbeatSucceeded', ({ connectionId: address }) => ended(address));
  client.on('serverHeartbeatFailed', ({ connectionId: address }) => ended(address));
  client.on('serverClosed', ({ address }) => ended(address));
};

/** A heartbeat takes up to connectTimeoutMS and heartbeatFrequencyMS (client.ts). */
const MAX_HEARTBEAT_MS = 4_600;
/** After a process was suspended its timers run first, before answers that have arrived. */
const TURN_MS = 150;
