import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { cronPattern } from './cronPattern.ts';
import { type Reader, type SettingFault, settingsReader } from './settings.ts';

/** The parts of the service that a process may play. */
export const roles = ['api', 'projections', 'reactors', 'workers'] as const;
export type Role = (typeof roles)[number];

/** Every setting, checked. Times in milliseconds. */
export type Config = Readonly<{
  port: number;
  host: string;
  /** The API's address as integrators see it; null: made from the host and the port it listens on. */
  publicUrl: string | null;
  dataDir: string;
  storagePort: number;
  storagePublicUrl: string | null;
  masterKey: Buffer | null;
  webhook: Readonly<{
    retryDelaysMs: readonly number[];
    egress: 'public' | 'any';
    resolve: ReadonlyMap<string, readonly string[]>;
    /** How long what was sent is kept after a delivery's end. */
    retentionMs: number;
    /** A certificate (PEM) to trust beside the usual ones. */
    ca: string | null;
  }>;
  sessionTtlMs: number;
  batchGraceMs: number;
  /** When what has fallen due is swept up, as a cron pattern with seconds. */
  sweep: string;
  /** How many proxies of ours stand before the service, whose X-Forwarded-For is believed. */
  trustProxy: number;
  /** Requests a second of a key; 0: no limits at all. */
  rateLimit: number;
  /** Failed attempts to authenticate in a minute from an address. */
  authFailures: number;
  /** Pages of these origins may call the endpoints of administrators. */
  allowedOrigins: ReadonlySet<string>;
  /** The chat completions endpoint that drafts workflows; null: the built-in rules do. */
  agent: Readonly<{ url: string; model: string | null; key: string | null }> | null;
  /** What a request for /metrics must bear; null: it must come from this machine. */
  metricsToken: string | null;
  logLevel: LogLevel;
}>;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Some settings are wrong; the message names every one of them. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';
  readonly faults: readonly SettingFault[];

  constructor(faults: readonly SettingFault[]) {
    super(
      ['The settings are not valid:', ...faults.map(({ name, detail }) => `  ${name} ${detail}`)].join('\n'),
    );
    this.faults = faults;
  }
}

/** Reads the settings from environment variables (docs/settings.md). Throws `InvalidSettings`. */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>): Config => {
  const settings = settingsReader(environment);
  const config: Config = {
    port: settings.integer('PORT', 3000, 0, 65_535),
    host: host(settings),
    publicUrl: settings.url('PUBLIC_URL', null),
    dataDir: settings.text('DATA_DIR', './data'),
    storagePort: settings.integer('STORAGE_PORT', 3001, 0, 65_535),
    storagePublicUrl: settings.url('STORAGE_PUBLIC_URL', null),
    masterKey: settings.key('MASTER_KEY'),
    webhook: {
      retryDelaysMs: settings.durations('WEBHOOK_RETRY_DELAYS', '30s,5m,30m'),
      egress: settings.choice('WEBHOOK_EGRESS', ['public', 'any'], 'public'),
      resolve: resolveMap(settings),
      retentionMs: settings.duration('DELIVERY_RETENTION', '90d'),
      ca: certificate(settings),
    },
    sessionTtlMs: settings.duration('SESSION_TTL', '24h'),
    batchGraceMs: settings.duration('BATCH_GRACE', '5m'),
    sweep: sweepPattern(settings),
    trustProxy: settings.integer('TRUST_PROXY', 0, 0, 16),
    rateLimit: settings.integer('RATE_LIMIT', 100, 0, 1_000_000),
    authFailures: settings.integer('AUTH_FAILURES', 20, 1, 1_000_000),
    allowedOrigins: settings.origins('ALLOWED_ORIGINS'),
    agent: agent(settings),
    metricsToken: settings.text('METRICS_TOKEN', null),
    logLevel: settings.choice('LOG_LEVEL', logLevels, 'info'),
  };
  if (config.sessionTtlMs < 1_000 || config.sessionTtlMs > 7 * 86_400_000) {
    settings.fault(
      'SESSION_TTL',
      'must be from 1s to 7d: upload addresses live as long, and no longer than a week',
    );
  }
  if (config.batchGraceMs > 7 * 86_400_000) settings.fault('BATCH_GRACE', 'must be at most 7d');
  refuseTogether(config, settings);
  refuseGuessable(config, settings);
  refuseEngines(settings);
  if (settings.faults.length > 0) throw new InvalidSettings(settings.faults);
  return config;
};

const host = (settings: Reader): string => {
  const name = settings.text('HOST', '127.0.0.1');
  if (isIP(name) === 0 && !/^[\w-]+(\.[\w-]+)*$/.test(name))
    settings.fault('HOST', 'must be an address or a name of this machine, such as 127.0.0.1, 0.0.0.0 or ::1');
  return name;
};

const LONGEST_RETRY_MS = 30 * 86_400_000;
/** So long before today there are still dates. */
const LONGEST_RETENTION_MS = 36_500 * 86_400_000;

/** What no setting can tell by itself. */
const refuseTogether = ({ port, storagePort, storagePublicUrl, webhook }: Config, settings: Reader): void => {
  if (port !== 0 && port === storagePort) {
    settings.fault('STORAGE_PORT', `must differ from PORT, which is ${port} too`);
  }
  if (storagePublicUrl !== null && new URL(storagePublicUrl).pathname !== '/') {
    settings.fault('STORAGE_PUBLIC_URL', 'must have no path: upload addresses are signed without one');
  }
  if (webhook.retryDelaysMs.some((delay) => delay > LONGEST_RETRY_MS)) {
    settings.fault('WEBHOOK_RETRY_DELAYS', 'must be at most 30d each');
  }
  if (webhook.retentionMs > LONGEST_RETENTION_MS)
    settings.fault('DELIVERY_RETENTION', 'must be at most 36500d');
};

const refuseGuessable = ({ metricsToken }: Config, settings: Reader): void => {
  if (metricsToken !== null && !/^[\x21-\x7e]{16,}$/.test(metricsToken))
    settings.fault('METRICS_TOKEN', 'must be at least 16 printable ASCII characters without spaces');
};

const sweepPattern = (settings: Reader): string => {
  const pattern = cronPattern(settings.duration('SWEEP', '10s'));
  if (pattern !== null) return pattern;
  settings.fault(
    'SWEEP',
    'must be a whole part of a minute or of an hour, such as 1s, 10s, 30s, 1m, 15m or 1h',
  );
  return '';
};

const agent = (settings: Reader): Config['agent'] => {
  const url = settings.url('AGENT_URL', null);
  const [model, key] = [settings.text('AGENT_MODEL', null), settings.text('AGENT_KEY', null)];
  // Without the address they would do nothing, and a slip in its name go unseen.
  if (settings.text('AGENT_URL', null) === null)
    for (const [name, value] of Object.entries({ AGENT_MODEL: model, AGENT_KEY: key }))
      if (value !== null) settings.fault(name, 'needs AGENT_URL');
  if (url !== null && /^\w+:\/\/[^/]*@/.test(url))
    settings.fault('AGENT_URL', 'must hold no credentials: AGENT_KEY is sent as bearer token');
  // It goes into a header.
  if (key !== null && !/^[\x21-\x7e]+$/.test(key))
    settings.fault('AGENT_KEY', 'must be printable ASCII characters without spaces');
  return url === null ? null : { url, model, key };
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

const ENGINES = [
  ...['EVENTSTOREDB_URL', 'MONGODB_URL'],
  ...['S3_ENDPOINT', 'S3_PUBLIC_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_PATH_STYLE', 'S3_SSE'],
];

/** Better no start than one that quietly keeps the data somewhere else than it was told. */
const refuseEngines = (settings: Reader): void => {
  for (const name of ENGINES) {
    if (settings.text(name, null) !== null) {
      settings.fault(name, 'is not supported yet by this version: unset it to use the embedded stores');
    }
  }
};

/** The API's address as others see it; `port` is the one that it listens on. */
export const publicUrlOf = ({ publicUrl, host, port }: Config, listening = port): string =>
  publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${listening}`;
