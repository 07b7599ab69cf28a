import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Request = Readonly<{
  headers: IncomingHttpHeaders;
  socket: Readonly<{ remoteAddress?: string | undefined }>;
}>;

/**
 * The client's address, under which failed authentication is counted: an IPv4 address, also one mapped to
 * IPv6, or the /64 of an IPv6 address, since a household or a server has that many to itself. With `hops`
 * trusted proxies (TRUST_PROXY) it is the entry of X-Forwarded-For that the outermost of them wrote, the
 * `hops`-th from the right; where that is missing or no address, or `hops` is 0, the socket's.
 */
export const clientAddress = ({ headers, socket }: Request, hops: number): string => {
  const forwarded = hops === 0 ? '' : entry(headers['x-forwarded-for'], hops);
  return network(isIP(forwarded) === 0 ? (socket.remoteAddress ?? '') : forwarded);
};

const entry = (header: string | string[] | undefined, hops: number): string => {
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
