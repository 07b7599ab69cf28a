import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Reader } from './parsers.ts';

/** How webhooks are sent. Times in milliseconds. */
export type Webhooks = Readonly<{
  retryDelaysMs: readonly number[];
  egress: 'public' | 'any';
  resolve: ReadonlyMap<string, readonly string[]>;
  /** How long what was sent is kept after a delivery's end. */
  retentionMs: number;
  /** A certificate (PEM) to trust beside the usual ones. */
  ca: string | null;
}>;

const LONGEST_RETRY_MS = 30 * 86_400_000;
/** So long before today there are still dates. */
const LONGEST_RETENTION_MS = 36_500 * 86_400_000;

/** Reads the settings of webhooks. */
export const webhooksOf = (settings: Reader): Webhooks => {
  const webhooks: Webhooks = {
    retryDelaysMs: settings.durations('WEBHOOK_RETRY_DELAYS', '30s,5m,30m'),
    egress: settings.choice('WEBHOOK_EGRESS', ['public', 'any'], 'public'),
    resolve: resolveMap(settings),
    retentionMs: settings.duration('DELIVERY_RETENTION', '90d'),
    ca: certificate(settings),
  };
  if (webhooks.retryDelaysMs.some((delay) => delay > LONGEST_RETRY_MS))
    settings.fault('WEBHOOK_RETRY_DELAYS', 'must be at most 30d each');
  if (webhooks.retentionMs > LONGEST_RETENTION_MS)
    settings.fault('DELIVERY_RETENTION', 'must be at most 36500d');
  return webhooks;
};

const resolveMap = (settings: Reader): ReadonlyMap<string, readonly string[]> => {
  const map = new Map<string, string[]>();
  for (const pair of settings.text('WEBHOOK_RESOLVE', '').split(',').filter(Boolean)) {
    const [host, address, more] = pair.split('=').map((part) => part.trim());
    if (!host || !address || more !== undefined || !isIP(address)) {
      settings.fault('WEBHOOK_RESOLVE', 'must be host=address pairs such as example.com=127.0.0.1,…');
    } else {
      const name = host.toLowerCase();
      map.set(name, [...(map.get(name) ?? []), address]);
    }
  }
  return map;
};

const certificate = (settings: Reader): string | null => {
  const path = settings.text('WEBHOOK_CA', null);
  if (path === null) return null;
  const refuse = (why: string): null => {
    settings.fault('WEBHOOK_CA', `must name a file with a certificate in PEM form: ${why}`);
    return null;
  };
  try {
    const pem = readFileSync(path, 'utf8');
    // Throws for what is no certificate: better now than at the first webhook.
    return pem.includes('-----BEGIN CERTIFICATE-----') && new X509Certificate(pem)
      ? pem
      : refuse('it is none');
  } catch (error) {
    return refuse((error as Error).message);
  }
};
