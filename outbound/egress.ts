import { isIP, type LookupFunction, Socket } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { isOperatorAddress, isPublicAddress, type Permits } from './address.ts';
import { AttemptError } from './failure.ts';
import { type Lookup, machineLookup, mappedLookup, nameServerLookup } from './lookup.ts';

/**
 * `egress`: connect to public addresses only, to those that a server named by the operator may have, or to
 * any. `resolve`: addresses of names that are not looked up. `ca`: authorities (PEM) to trust beside those
 * built into Node; those of NODE_EXTRA_CA_CERTS then do not count, without `ca` they do.
 * `connectionsPerOrigin`: keep it at least as high as the attempts that may be in flight together, or they
 * would spend their time waiting for a connection. `permits` and `lookup` replace the rules in tests.
 */
export type EgressOptions = Readonly<{
  egress: 'public' | 'operator' | 'any';
  resolve?: ReadonlyMap<string, readonly string[]>;
  ca?: string;
  connectionsPerOrigin?: number;
  permits?: Permits;
  lookup?: Lookup;
}>;

/** All requests to addresses that others chose go through `dispatch`. `close` ends all connections. */
export type Egress = Readonly<ReturnType<typeof createEgress>>;

const PERMITS: Readonly<Record<EgressOptions['egress'], Permits>> = {
  public: isPublicAddress,
  operator: isOperatorAddress,
  any: () => true,
};

/** A little more than an attempt lasts, so that the attempt's own limit is the one that strikes. */
const CONNECT_MS = 12_000;

/**
 * Opens connections only to addresses that the rule permits. A host's addresses are all judged, and the
 * socket gets exactly those: nothing is resolved a second time between the check and the connection.
 */
export const createEgress = (options: EgressOptions) => {
  const permits = options.permits ?? PERMITS[options.egress];
  const lookup = options.lookup ?? (options.egress === 'public' ? nameServerLookup() : machineLookup);
  const open = new Set<Socket>();
  const connect = connector(
    options.ca,
    judgedLookup(permits, mappedLookup(options.resolve ?? new Map(), lookup)),
  );
  const agent = new Agent({
    connect: guarded(connect, permits, open),
    connections: options.connectionsPerOrigin ?? 256,
    pipelining: 1,
    // As long as a receiver says that it keeps one, up to this; without a word undici's own 4 s.
    keepAliveMaxTimeout: 120_000,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    dispatch: (request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void => {
      agent.dispatch(request, handler);
    },
    close: async (): Promise<void> => {
      const destroyed = agent.destroy();
      // The agent does not track sockets that are still connecting.
      for (const socket of open) socket.destroy(new Error('the egress was closed'));
      await destroyed;
    },
  };
};

const connector = (ca: string | undefined, lookup: LookupFunction) =>
  buildConnector({
    lookup,
    // One context for all connections: parsing the authorities anew costs milliseconds for each.
    secureContext: createSecureContext(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    timeout: CONNECT_MS,
    // Node's 250 ms would give up on far hosts with several addresses.
    autoSelectFamilyAttemptTimeout: 2_000,
  });

/**
 * Node never looks up what already is an address, so that the judged look-up would not run: it is judged
 * here. `open` holds the sockets until they close (a shared AbortSignal would do, but Node keeps 26 KB for
 * each socket that ever had it).
 */
const guarded =
  (connect: buildConnector.connector, permits: Permits, open: Set<Socket>): buildConnector.connector =>
  (target, callback) => {
    if (isIP(target.hostname) !== 0 && !permits(target.hostname)) {
      process.nextTick(callback, addressRefused(), null);
      return;
    }
    // undici does give the socket back, though its type lacks it.
    const socket: unknown = connect(target, callback);
    if (!(socket instanceof Socket)) return;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };

const judgedLookup =
  (permits: Permits, lookup: Lookup): LookupFunction =>
  (hostname, { all }, callback) => {
    resolveJudged(hostname, permits, lookup).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (all || first === undefined) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };

const resolveJudged = async (
  hostname: string,
  permits: Permits,
  lookup: Lookup,
): Promise<readonly string[]> => {
  const addresses = await lookup(hostname).catch((cause: unknown) => {
    throw notResolved(cause);
  });
  if (addresses.length === 0) throw notResolved(null);
  if (!addresses.every(permits)) throw addressRefused();
  return addresses;
};

/** The text names no address: it may be an internal one. */
const addressRefused = (): AttemptError => new AttemptError('the host has an address that is not public');

const notResolved = (cause: unknown): AttemptError =>
  new AttemptError('the host name could not be resolved', { cause });
