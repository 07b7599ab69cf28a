import { StoreMisconfigured } from '../../../kernel/errors.ts';
import { type Address, type Endpoint, targetOf } from './address.ts';
import type { ChannelSettings } from './channel.ts';
import { type Failure, failureOf, isRefusal, isUnconnected, notNow } from './failures.ts';
import { leaderAmong, membersAt } from './gossip.ts';
import { probeTls } from './tls.ts';

/** What the failure of the first call to a node means; probes it where the error alone would mislead. */
export const diagnose = async (
  error: unknown,
  endpoint: Endpoint,
  settings: ChannelSettings,
): Promise<Failure> => {
  const { asUser, address } = settings;
  const failure = failureOf(error, { node: targetOf(endpoint), asUser });
  const other =
    isRefusal(error) && asUser
      ? await readinessOf(endpoint, settings)
      : isUnconnected(error) && failure.again
        ? await protocolOf(endpoint, address)
        : null;
  return other ?? failure;
};

/** A node that is not ready has no users loaded, and a follower may lack them: null for the leader. */
const readinessOf = async (endpoint: Endpoint, settings: ChannelSettings): Promise<Failure | null> => {
  const members = await membersAt(endpoint, settings).catch(() => null); // its refusal is clear enough
  if (members === null) return null;
  const node = targetOf(endpoint);
  const leader = leaderAmong(members);
  if (leader === null) return { error: notNow(`${node} is not ready: it has no leader`), again: true };
  // Alone it is its own leader, whatever name it has for itself.
  if (members.length === 1 || targetOf(leader) === node) return null;
  return { error: notNow(`${node} does not lead`), again: true, leader };
};

/** A connection that breaks at once may use TLS where the server does not, or the other way round. */
const protocolOf = async (endpoint: Endpoint, { tls }: Address): Promise<Failure | null> => {
  const usesTls = await probeTls(endpoint);
  if (usesTls === null || usesTls === (tls !== null)) return null;
  const mismatch = usesTls
    ? 'uses TLS, and its connection string has tls=false'
    : 'does not use TLS, and its connection string lacks tls=false';
  return {
    error: new StoreMisconfigured(`The event store at ${targetOf(endpoint)} ${mismatch}.`),
    again: false,
  };
};
