import { shared } from '../../../kernel/once.ts';
import { type Endpoint, targetOf } from './address.ts';
import type { ChannelSettings } from './channel.ts';
import { diagnose } from './diagnosis.ts';
import { type Failure, notNow } from './failures.ts';
import { leaderAmong, membersAt } from './gossip.ts';

/** How long seeds that have not answered may still change who leads, once one has named a leader. */
const VOTE_MS = 500;

type Named = Readonly<{ endpoint: Endpoint; votes: number }>;

/**
 * The single node, or the one that leads a cluster: that which most of the seeds name. One answer is not
 * enough: a leader that was frozen, and replaced, still names itself for about a second after it wakes.
 * Throws `StoreUnavailable` when none is named, or two are by as many.
 */
export const findLeader = async (settings: ChannelSettings): Promise<Endpoint> => {
  const { seeds, cluster } = settings.address;
  const [single] = seeds;
  if (!cluster && single) return single;
  const named = new Map<string, Named>();
  const failures: Failure[] = [];
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((decide) => {
    const ask = async (seed: Endpoint): Promise<void> => {
      try {
        const endpoint = leaderAmong(await membersAt(seed, settings));
        if (endpoint === null) throw notNow(`${targetOf(seed)} has no leader of its cluster`);
        const votes = (named.get(targetOf(endpoint))?.votes ?? 0) + 1;
        named.set(targetOf(endpoint), { endpoint, votes });
        if (votes > seeds.length / 2) decide();
        timer ??= setTimeout(decide, VOTE_MS);
      } catch (error) {
        failures.push(await diagnose(error, seed, settings));
      }
    };
    Promise.all(seeds.map(ask)).then(() => decide());
  });
  clearTimeout(timer);
  return elected([...named.values()], failures);
};

const elected = (named: readonly Named[], failures: readonly Failure[]): Endpoint => {
  const [first, second] = named.toSorted((one, other) => other.votes - one.votes);
  if (first && first.votes > (second?.votes ?? 0)) return first.endpoint;
  if (first) throw notNow('its nodes name different leaders');
  // A wrong password is a better reason than a node that is down.
  const reason = failures.find(({ again }) => !again) ?? failures[0];
  throw reason?.error ?? notNow('no node was named');
};

/** Between two discoveries while a call waits for its answer. */
const POLL_MS = 500;

/**
 * Waits for a node's answer; `StoreUnavailable` once its cluster names another leader. A frozen node does not
 * answer and keeps its connections: its calls would wait for their time-out.
 */
export const whileLeading = (settings: ChannelSettings) => {
  // Null where it failed: the next poll may find the leader.
  const discover = shared(() => findLeader(settings).catch(() => null));
  const watched = <T>(node: string, answer: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      let isSettled = false;
      const check = async (): Promise<void> => {
        const leader = await discover();
        if (isSettled) return;
        if (leader !== null && targetOf(leader) !== node) reject(notNow(`${node} was replaced as leader`));
        else timer = setTimeout(check, POLL_MS);
      };
      let timer = setTimeout(check, POLL_MS);
      const end = (): void => {
        isSettled = true;
        clearTimeout(timer);
      };
      answer.finally(end).then(resolve, reject);
    });
  return settings.address.cluster ? watched : <T>(_node: string, answer: Promise<T>) => answer;
};
