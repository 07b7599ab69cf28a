import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What of a request tells where it comes from. */
type Request = Readonly<{
  headers: IncomingHttpHeaders;
  socket: Readonly<{ remoteAddress?: string | undefined }>;
}>;

/**
 * Whom a request comes from, as failures are counted: an IPv4 address, also where IPv6 only wraps one, or the /64 of an IPv6 address, since
 * a household or a server has that many to itself. The socket's, unless `hops` proxies of ours stand before the service: then the entry that
 * the outermost of them wrote, the `hops`-th from the right of X-Forwarded-For (TRUST_PROXY). Where that is missing or no address the
 * request did not come through all of them, and the socket's counts.
 */
export const addressOf = ({ headers, socket }: Request, hops: number): string => {
  const own = socket.remoteAddress ?? '';
  const told = hops === 0 ? null : entry(headers['x-forwarded-for'], hops);
  return network(told !== null && isIP(told) !== 0 ? told : own);
};

const entry = (header: string | string[] | undefined, hops: number): string | null => {
  const entries = String(header ?? '').split(',');
  const found = entries.at(-hops)?.trim() ?? '';
  // Some proxies write the port too.
  const [, v4, v6] = /^([\d.]+):\d+$|^\[([^\]]+)\](?::\d+)?$/.exec(found) ?? [];
  return v4 ?? v6 ?? found;
};

const network = (address: string): string => {
  if (isIP(address) === 0) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`;
};
