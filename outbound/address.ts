import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Says whether a connection may be opened to an IP address. */
export type Permits = (address: string) => boolean;

/**
 * True for addresses of the public internet only: not for loopback, private, link-local (metadata services
 * live there), carrier-grade NAT, multicast, documentation and other reserved ranges, nor for what is no IP
 * address. An IPv6 address that represents an IPv4 one (mapped, or translated by NAT64) is judged by the
 * latter; 6to4 and Teredo are refused.
 */
export const isPublicAddress: Permits = (address) => {
  // ipaddr.js takes the old form ::a.b.c.d for a mapped address; a socket does not.
  if (isIP(address) === 0 || /^::\d+\./.test(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast';
  const bytes = parsed.toByteArray();
  if (isMapped(bytes) || isNat64(bytes)) return isPublicAddress(bytes.slice(12).join('.'));
  return parsed.range() === 'unicast' && isGlobalUnicast(bytes);
};

/** Ranges that a server of the operator's own may be in, beside the public ones. */
const OWN_RANGES = ['private', 'loopback', 'carrierGradeNat', 'uniqueLocal'];

/**
 * True also for this machine and for private networks: for a server that the operator named. Not for
 * link-local addresses, where the metadata services of clouds are, nor for what no server has.
 */
export const isOperatorAddress: Permits = (address) => {
  if (isPublicAddress(address)) return true;
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  return OWN_RANGES.includes(parsed.range()) && parsed.toString() !== EC2_METADATA;
};

/** A metadata service that is no link-local address. */
const EC2_METADATA = 'fd00:ec2::254';

const isMapped = (bytes: readonly number[]): boolean =>
  startsWith(bytes, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);

/** 64:ff9b::/96: on a network without IPv4, DNS64 answers with these for every host that has IPv4 only. */
const isNat64 = (bytes: readonly number[]): boolean =>
  startsWith(bytes, [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]);

/** 2000::/3, the only part of IPv6 that is given out for the internet. */
const isGlobalUnicast = ([first = 0]: readonly number[]): boolean => (first & 0xe0) === 0x20;

const startsWith = (bytes: readonly number[], prefix: readonly number[]): boolean =>
  prefix.every((byte, index) => bytes[index] === byte);
