import { lookup, Resolver } from 'node:dns/promises';

/** Gives all IP addresses of a host name; throws when there is none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** The machine's own way, hosts file included: for closed networks. It blocks one of four threads while it waits. */
export const machineLookup: Lookup = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * Asks the name servers directly. A name server that never answers holds no thread, as the machine's own way would: with
 * a few of those one customer's dead domain would stop everybody's deliveries.
 */
export const nameServerLookup = (): Lookup => {
  const resolver = new Resolver({ timeout: 2_000, tries: 3 });
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw reasonOf(answers);
    return addresses;
  };
};

/** Looks names up in a map first (`WEBHOOK_RESOLVE`); what it gives is judged like any other address. */
export const mappedLookup =
  (addresses: ReadonlyMap<string, readonly string[]>, otherwise: Lookup): Lookup =>
  async (hostname) =>
    addresses.get(hostname.replace(/\.$/, '')) ?? otherwise(hostname);

const reasonOf = (answers: readonly PromiseSettledResult<unknown>[]): unknown =>
  answers.find((answer) => answer.status === 'rejected')?.reason;
