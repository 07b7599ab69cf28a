import dns from 'node:dns/promises';
import {
  CallCredentials,
  Channel,
  type ChannelCredentials,
  type ChannelOptions,
  connectivityState,
  credentials,
  experimental,
  Metadata,
} from '@grpc/grpc-js';
import { type Address, type Endpoint, type Tls, targetOf } from './address.ts';
import { notNow } from './failures.ts';
import { handshake } from './tls.ts';

/**
 * How to call the nodes of an address. `metadata` names the user where `asUser` says so, `anonymous` never.
 * `closed` ends every channel.
 */
export type ChannelSettings = Readonly<ReturnType<typeof channelSettings>>;

/** What may still be answered on a channel that was ended. */
const FINISH_MS = 5_000;
const SCHEME = 'intake-node';
const SIGNAL = 'intake.signal';

/**
 * Opens a channel to a node; `end` lets running calls finish for a moment. grpc-js closes only established
 * connections: sockets whose connect, TLS handshake or HTTP/2 settings are pending stay for as long as the
 * other side is silent. So the sockets get a signal that destroys them in any state. Throws
 * `StoreUnavailable` once the store is closed.
 */
export const openChannel = (endpoint: Endpoint, { credentials, options, closed }: ChannelSettings) => {
  if (closed.aborted) throw notNow('this store has been closed');
  const ending = new AbortController();
  const node = targetOf(endpoint);
  const channel = new Channel(`${SCHEME}:${node}`, credentials, { ...options, [SIGNAL]: ending.signal });
  const close = (): void => {
    const isConnected = channel.getConnectivityState(false) === connectivityState.READY;
    channel.close();
    if (isConnected) setTimeout(() => ending.abort(), FINISH_MS).unref();
    else ending.abort();
  };
  const end = (): void => {
    closed.removeEventListener('abort', end);
    // In a turn of its own: see calls.ts.
    if (isOpen) setImmediate(close);
    isOpen = false;
  };
  let isOpen = true;
  closed.addEventListener('abort', end);
  return { node, channel, end };
};

/**
 * Gives gRPC the addresses of its target: when one is silent, it tries the next. What they hold beside host
 * and port are options of `net.connect`, which takes each as it is.
 */
class NodeResolver implements experimental.Resolver {
  private isStarted = false;
  private readonly resolve: () => Promise<void>;

  constructor(
    target: experimental.GrpcUri,
    listener: experimental.ResolverListener,
    { [SIGNAL]: signal }: ChannelOptions,
  ) {
    const { host = '', port = 0 } = experimental.splitHostPort(target.path) ?? {};
    this.resolve = async () => {
      // A name that is not found is left to `net.connect`, which reports it.
      const found = await dns.lookup(host, { all: true }).catch(() => [{ address: host }]);
      if (!this.isStarted) return;
      const endpoints = found.map(({ address }) => ({ addresses: [{ host: address, port, signal }] }));
      listener(experimental.statusOrFromValue(endpoints), {}, null, '');
    };
  }

  updateResolution(): void {
    if (this.isStarted) return;
    this.isStarted = true;
    void this.resolve();
  }

  destroy(): void {
    this.isStarted = false;
  }

  static getDefaultAuthority({ path }: experimental.GrpcUri): string {
    return path;
  }
}

experimental.registerResolver(SCHEME, NodeResolver);

/** The settings for every node of an address: no password is sent in clear. */
export const channelSettings = (address: Address, closed: AbortSignal) => {
  const { tls, user, keepAliveMs, keepAliveTimeoutMs, connectionName } = address;
  const asUser = user !== null && tls !== null;
  const anonymous = new Metadata();
  anonymous.set('connection-name', connectionName);
  const metadata = anonymous.clone();
  // A node that does not lead may lag behind what was just written; it names the leader instead.
  metadata.set('requires-leader', 'true');
  if (asUser)
    metadata.set('authorization', `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`);
  const options: ChannelOptions = {
    'grpc.keepalive_time_ms': keepAliveMs,
    'grpc.keepalive_timeout_ms': keepAliveTimeoutMs,
    'grpc.max_receive_message_length': 17 * 1024 * 1024, // the server stores up to 16 MB from other clients
    'grpc.enable_http_proxy': 0,
    'grpc.enable_retries': 0,
    // Not shared: a new line waits for no back-off, which grows to two minutes, of an older one.
    'grpc.use_local_subchannel_pool': 1,
  };
  return {
    address,
    asUser,
    credentials: tls ? secure(tls) : credentials.createInsecure(),
    options,
    metadata,
    anonymous,
    closed,
  };
};

/** gRPC's own handshake names a server by its IP address, which TLS does not allow (DEP0123). */
const secure = (tls: Tls): ChannelCredentials => {
  const made = credentials.createSsl();
  made._createSecureConnector = ({ path }, _options, callCredentials) => ({
    waitForReady: async () => undefined,
    getCallCredentials: () => callCredentials ?? CallCredentials.createEmpty(),
    connect: (socket) => handshake(socket, tls, experimental.splitHostPort(path)?.host ?? ''),
    destroy: () => undefined,
  });
  return made;
};
