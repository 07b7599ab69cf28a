import { lookup, Resolver } from 'node:dns/promises';

/** Gives all IP addresses of a host name; throws when there is none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** The machine's resolver with its hosts file, for closed networks. It blocks one of Node's four threads. */
export const machineLookup: Lookup = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * Asks the name servers directly (the machine's, unless given), so that the hosts file plays no part. A name
 * server that never answers holds no thread, as the machine's own way would: a few dead domains would stop
 * everybody's deliveries. It gives up early enough that a host whose IPv6 question stays unanswered is still
 * reached within the attempt's time.
 */
export const nameServerLookup = (servers?: readonly string[]): Lookup => {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const refusal = answers.find((answer) => answer.status === 'rejected');
    if (addresses.length === 0) throw refusal?.reason ?? new Error(`${hostname} has no address`);
    return addresses;
  };
};

/** Looks names up in a map first (`WEBHOOK_RESOLVE`); what it gives is judged like any other address. */
export const mappedLookup =
  (addresses: ReadonlyMap<string, readonly string[]>, otherwise: Lookup): Lookup =>
  async (hostname) =>
    addresses.get(hostname.replace(/\.$/, '')) ?? otherwise(hostname);
