import { laneOf } from '../kernel/lane.ts';
import type { Mode } from '../kernel/scope.ts';

/** The longest webhook URL that is accepted, in characters. */
export const MAX_WEBHOOK_URL = 2_048;

const NOT_ABSOLUTE = 'must be a valid absolute URL, such as https://example.com/hooks';
const NOT_PUBLIC = 'must name a public host, not one on this machine or in a private network';

/**
 * What is wrong with a webhook URL, as a sentence for its author; null when it is fine. Looks at the spelling
 * only: a public-looking name that resolves to a private address passes (webhooks-28, webhooks-31). The
 * egress guard judges the address when the delivery is sent.
 */
export const webhookUrlProblem = (url: string): string | null => {
  if (url.length > MAX_WEBHOOK_URL) return `must be at most ${MAX_WEBHOOK_URL} characters long`;
  const parsed = parse(url);
  if (parsed === null) return NOT_ABSOLUTE;
  if (parsed.protocol !== 'https:') return 'must use https://';
  if (parsed.username !== '' || parsed.password !== '') return 'must not contain a user name or password';
  if (parsed.port === '0') return 'must not name port 0';
  const host = parsed.hostname.replace(/\.$/, '');
  if (host.split('.').includes('')) return NOT_ABSOLUTE;
  return isInside(host) ? NOT_PUBLIC : null;
};

/**
 * The lane that what is sent to an address waits in: all of one company and mode to one origin share it, so
 * that nobody else waits for them, nor live data for those of tests.
 */
export const deliveryLane = (companyId: string, mode: Mode, url: string): string =>
  laneOf(companyId, mode, new URL(url).origin);

/**
 * The standard parser, which also brings octal, hexadecimal, short, percent-encoded and full-width hosts into
 * one form. It forgives missing or turned slashes and blanks, which are not part of a valid URL: those are
 * refused first.
 */
const parse = (url: string): URL | null =>
  /^[a-z][a-z0-9+.-]*:\/\/[^/\\]/i.test(url) && !/[\s\\\p{Cc}]/u.test(url) && URL.canParse(url)
    ? new URL(url)
    : null;

const isInside = (host: string): boolean => {
  if (host.startsWith('[')) return isInsideIpv6(groupsOf(host.slice(1, -1)));
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isInsideIpv4(host.split('.').map(Number));
  return /^(.*\.)?localhost$|\.internal$|\.local$/.test(host);
};

const isInsideIpv4 = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): boolean =>
  a === 127 ||
  a === 10 ||
  (a === 172 && b >= 16 && b <= 31) ||
  (a === 192 && b === 168) ||
  (a === 169 && b === 254) ||
  (a | b | c | d) === 0;

/** Also the unspecified address, and IPv4 addresses inside IPv6 ones (::ffff:a.b.c.d and ::a.b.c.d). */
const isInsideIpv6 = (groups: readonly number[]): boolean => {
  const [first = 0, , , , , marker = 0, high = 0, low = 0] = groups;
  const embedsIpv4 = groups.slice(0, 5).every((group) => group === 0) && (marker === 0xffff || marker === 0);
  const isLoopback = embedsIpv4 && marker === 0 && high === 0 && low === 1;
  const ipv4 = [high >> 8, high & 0xff, low >> 8, low & 0xff];
  const uniqueLocal = (first & 0xfe00) === 0xfc00;
  const linkLocal = (first & 0xffc0) === 0xfe80;
  return uniqueLocal || linkLocal || isLoopback || (embedsIpv4 && isInsideIpv4(ipv4));
};

/** The eight groups of an IPv6 address as the URL parser writes it. */
const groupsOf = (address: string): readonly number[] => {
  const [head = [], tail = []] = address
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))));
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
};
