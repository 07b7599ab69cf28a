import { isIP } from 'node:net';
import { type LogLevel, logLevels } from '../../kernel/report.ts';
import { isCron, type Schedule } from '../../reactors/engine/schedule.ts';
import { type Agent, agentOf } from './agent.ts';
import { coresOf } from './cores.ts';
import { type Engines, enginesOf } from './engines.ts';
import { misspelt } from './misspelt.ts';
import { parseDuration, type Reader, type SettingFault, settingsReader } from './parsers.ts';
import { signingSecret } from './signingSecret.ts';
import { type Webhooks, webhooksOf } from './webhooks.ts';

/** The parts of the service that a process may play. */
export const roles = ['api', 'projections', 'reactors', 'workers'] as const;
export type Role = (typeof roles)[number];

/** Every setting, checked. Times in milliseconds. */
export type Config = Readonly<{
  port: number;
  host: string;
  /** The API's address as integrators see it; null: made from the host and the port it listens on. */
  publicUrl: string | null;
  engines: Engines;
  /** Where the parts lie whose engine is not set. */
  dataDir: string;
  storagePort: number;
  storagePublicUrl: string | null;
  masterKey: Buffer | null;
  /** The seed of the Ed25519 key that signs exported evidence. */
  evidenceKey: Buffer | null;
  webhook: Webhooks;
  /** The secret in a setting that a workflow version names; null where it is not set, or is no key although it begins with `whsec_`. */
  secretOf(name: string): string | null;
  sessionTtlMs: number;
  batchGraceMs: number;
  /** When what has fallen due is swept up. */
  sweep: Schedule;
  /** How many proxies of ours stand before the service, whose X-Forwarded-For is believed. */
  trustProxy: number;
  /** Requests a second of a key; 0: no limits at all. */
  rateLimit: number;
  /** Failed attempts to authenticate in a minute from an address. */
  authFailures: number;
  /** Pages of these origins may call the endpoints of administrators. */
  allowedOrigins: ReadonlySet<string>;
  agent: Agent | null;
  /** What a request for /metrics must bear; null: it must come from this machine. */
  metricsToken: string | null;
  /** How many submissions a process reads at once. */
  workers: number;
  logLevel: LogLevel;
  /** Variables that are nearly a setting's name, and have no effect. */
  misspelt: readonly SettingFault[];
}>;

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
    engines: enginesOf(settings),
    dataDir: settings.text('DATA_DIR', './data'),
    storagePort: settings.integer('STORAGE_PORT', 3001, 0, 65_535),
    storagePublicUrl: settings.url('STORAGE_PUBLIC_URL', null),
    masterKey: settings.key('MASTER_KEY'),
    evidenceKey: settings.key('EVIDENCE_KEY'),
    webhook: webhooksOf(settings),
    secretOf: (name) => signingSecret(environment, name),
    sessionTtlMs: settings.duration('SESSION_TTL', '24h'),
    batchGraceMs: settings.duration('BATCH_GRACE', '5m'),
    sweep: sweepSchedule(settings),
    trustProxy: settings.integer('TRUST_PROXY', 0, 0, 16),
    rateLimit: settings.integer('RATE_LIMIT', 100, 0, 1_000_000),
    authFailures: settings.integer('AUTH_FAILURES', 20, 1, 1_000_000),
    allowedOrigins: settings.origins('ALLOWED_ORIGINS'),
    agent: agentOf(settings),
    workers: settings.integer('WORKERS', coresOf(), 1, 256),
    metricsToken: settings.text('METRICS_TOKEN', null),
    logLevel: settings.choice('LOG_LEVEL', logLevels, 'info'),
    misspelt: misspelt(Object.keys(environment).filter((name) => environment[name])),
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
  if (settings.faults.length > 0) throw new InvalidSettings([...settings.faults, ...config.misspelt]);
  return config;
};

const host = (settings: Reader): string => {
  const name = settings.text('HOST', '127.0.0.1');
  if (isIP(name) === 0 && !/^[\w-]+(\.[\w-]+)*$/.test(name))
    settings.fault('HOST', 'must be an address or a name of this machine, such as 127.0.0.1, 0.0.0.0 or ::1');
  return name;
};

/** What no setting can tell by itself. */
const refuseTogether = ({ port, storagePort, storagePublicUrl, engines }: Config, settings: Reader): void => {
  if (engines.s3 === null && port !== 0 && port === storagePort) {
    settings.fault('STORAGE_PORT', `must differ from PORT, which is ${port} too`);
  }
  if (storagePublicUrl !== null && new URL(storagePublicUrl).pathname !== '/') {
    settings.fault('STORAGE_PUBLIC_URL', 'must have no path: upload addresses are signed without one');
  }
};

const refuseGuessable = ({ metricsToken }: Config, settings: Reader): void => {
  if (metricsToken !== null && !/^[\x21-\x7e]{16,}$/.test(metricsToken))
    settings.fault('METRICS_TOKEN', 'must be at least 16 printable ASCII characters without spaces');
};

const sweepSchedule = (settings: Reader): Schedule => {
  const text = settings.text('SWEEP', '10s');
  if (isCron(text)) return { cron: text };
  const everyMs = parseDuration(text) ?? 0;
  if (everyMs < 1_000 || everyMs > 3_600_000)
    settings.fault(
      'SWEEP',
      'must be a time from 1s to 1h, such as 10s, or a cron expression in UTC, such as "*/5 * * * *"',
    );
  return { everyMs };
};

/** The API's address as others see it; `port` is the one that it listens on. */
export const publicUrlOf = ({ publicUrl, host, port }: Config, listening = port): string =>
  publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${listening}`;
