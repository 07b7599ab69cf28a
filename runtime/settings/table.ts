import { RETRY_DELAYS_MS } from '../../domain/retrySchedule.ts';
import { logLevels } from '../../kernel/report.ts';
import { engineSettings } from './engines.ts';
import { mailSettings } from './mail.ts';
import { oidcSettings } from './oidc.ts';
import {
  certificate,
  duration,
  durations,
  durationText,
  host,
  integer,
  key,
  matching,
  modelFolder,
  oneOf,
  origins,
  resolveMap,
  schedule,
  text,
  url,
  urlWithoutPath,
} from './parsers.ts';
import { optional, type Setting, secret, setting } from './setting.ts';

const printable = 'printable ASCII characters without spaces';

/** The settings of the service itself. */
export const serviceSettings = {
  PORT: setting('3000', integer(0, 65_535), 'where the API listens; port 0 takes a free one'),
  HOST: setting('127.0.0.1', host, 'the address or name of this machine that it listens on'),
  PUBLIC_URL: optional('`http://HOST:PORT`', url, 'the public address of the API'),
  DATA_DIR: setting(
    './data',
    text,
    'log, read models, tables, files and keys, as far as no engine below holds them; [which commands](commands.md) make a new one',
  ),
  STORAGE_PORT: setting(
    '3001',
    integer(0, 65_535),
    'where the embedded object store listens, on `HOST`; not `PORT`',
  ),
  STORAGE_PUBLIC_URL: optional(
    '`http://HOST:STORAGE_PORT`',
    urlWithoutPath,
    'what upload and download addresses name; set it behind a proxy, beside `PUBLIC_URL` (a start warns where only that one is set); no path',
  ),
  STORAGE_ORIGINS: setting(
    '',
    origins,
    'origins such as `https://app.example.com,…` whose pages may use the embedded object store; without any all may, since the address itself is the permission ([integrating](integrating.md#uploads-from-a-page))',
  ),
  MASTER_KEY: secret(
    'made on first use in `DATA_DIR/master.key`',
    key,
    '32 bytes in base64; wraps the keys that seal private data. It must be set beside an engine, unless `KMS_KEY` is. To change it, [rotate](operating.md#rotation)',
  ),
  MASTER_KEY_PREVIOUS: optional(
    'none',
    key,
    'the `MASTER_KEY` before this one, until `intake keys rotate` has ended',
    { secret: true, needs: 'MASTER_KEY' },
  ),
  EVIDENCE_KEY: secret(
    'made on first use in `DATA_DIR/evidence.key`',
    key,
    '32 bytes in base64 (`openssl rand -base64 32`): the seed of the Ed25519 key that [exported evidence](auditors.md) is signed with. Without a `DATA_DIR` it must be set where `intake audit export` runs, the same on every machine; `serve` needs it nowhere',
  ),
  WEBHOOK_RETRY_DELAYS: setting(
    RETRY_DELAYS_MS.map(durationText).join(','),
    durations('30d'),
    'between the attempts of a delivery; one more attempt than delays; each at most 30d',
  ),
  WEBHOOK_EGRESS: setting(
    'public',
    oneOf('public', 'any'),
    '`any` also lets webhooks, syncs and `http` extractors connect to private and loopback addresses: for tests',
  ),
  WEBHOOK_RESOLVE: setting(
    '',
    resolveMap,
    '`host=address,…`: names that are resolved without DNS: for tests',
  ),
  WEBHOOK_CA: optional(
    'none',
    certificate,
    'a file with a certificate (PEM) that webhook receivers, sync targets and extractors may be signed by, beside the usual authorities',
  ),
  DELIVERY_RETENTION: setting(
    '90d',
    // 999999999d before today there is no date.
    duration({ max: '36500d' }),
    'how long after its end a delivery keeps its bytes and attempts, and can be sent again, at most 36500d; its outcome is kept for ever',
  ),
  ENDPOINT_DISABLE_AFTER: setting(
    '5d',
    duration({ min: '1s', max: '365d' }),
    'how long nothing was delivered to a webhook endpoint, from its first failure to the last of three deliveries or more that were given up, until it is disabled; 1s to 365d',
  ),
  SESSION_TTL: setting(
    '24h',
    duration({ min: '1s', max: '7d', because: ': upload addresses live as long, and no longer than a week' }),
    'how long a session waits for its files; 1s to 7d',
  ),
  BATCH_GRACE: setting(
    '5m',
    duration({ max: '7d' }),
    'how old the newest session of a batch must be before the batch completes; at most 7d',
  ),
  SWEEP: setting(
    '10s',
    schedule,
    'how often due batches complete and expired sessions end: a time from 1s to 1h, or a [cron expression](https://www.npmjs.com/package/node-cron) in UTC such as `*/5 * * * *` (with a sixth field in front for seconds), or `@hourly`',
  ),
  RATE_LIMIT: setting(
    '100',
    integer(0, 1_000_000),
    'requests a second that a key may send to a node; 0 turns every limit off ([integrating](integrating.md#limits))',
  ),
  AUTH_FAILURES: setting(
    '20',
    integer(1, 1_000_000),
    'failed attempts to authenticate that an address may make in a minute on a node',
  ),
  TRUST_PROXY: setting(
    '0',
    integer(0, 16),
    'how many of your proxies are in front of the service: the client’s address is then the entry of `X-Forwarded-For` that the outermost of them wrote',
  ),
  ALLOWED_ORIGINS: setting(
    '',
    origins,
    'origins such as `https://admin.example.com,…` whose pages may call `/api/auth` and `/api/internal` ([people](people.md))',
  ),
  ...mailSettings,
  ...oidcSettings,
  AGENT_URL: optional(
    'none: built-in rules',
    url,
    'an OpenAI-style endpoint that drafts workflows: its base, or the whole address ending in `/chat/completions`. It may be a private one ([the agent](agent.md))',
  ),
  AGENT_MODEL: optional('none', text, 'the model that is named in requests to it', { needs: 'AGENT_URL' }),
  AGENT_KEY: optional(
    'none',
    matching(/^[\x21-\x7e]+$/, `must be ${printable}`),
    'the bearer token that is sent to it',
    { secret: true, needs: 'AGENT_URL' },
  ),
  WORKERS: optional(
    'the cores',
    integer(1, 256),
    'how many submissions a process with the role `workers` reads at once, each in a child process with up to 512 MB; a container’s processor quota counts as its cores',
  ),
  READER_MODELS: optional(
    'the shipped ones',
    modelFolder,
    'a folder with other models that pages are read with: `detection.onnx`, `recognition.onnx`, `dictionary.txt` and `SHA256SUMS` ([how to make one](deploy.md#other-models-for-reading))',
  ),
  METRICS_TOKEN: secret(
    'none',
    matching(/^[\x21-\x7e]{16,}$/, `must be at least 16 ${printable}`),
    'the bearer token that `/metrics` asks for, at least 16 characters; unset, it answers requests from the same machine only ([operating](operating.md))',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    'none: no traces are sent',
    url,
    'the base address of a collector of OpenTelemetry that [traces](operating.md#traces) are sent to, such as `http://localhost:4318` (OTLP over HTTP, as JSON)',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(
    'none: `/v1/traces` below `OTEL_EXPORTER_OTLP_ENDPOINT`',
    url,
    'the whole address that [traces](operating.md#traces) are sent to, where it is another',
  ),
  LOG_LEVEL: setting(
    'info',
    oneOf(...logLevels),
    'fatal, error, warn, info, debug, trace or silent; the log goes to standard error',
  ),
} as const;

/** Every setting, once; what is not here can't be read. */
export const settings = { ...serviceSettings, ...engineSettings } as const;
export type SettingName = keyof typeof settings;
/** The names of all settings. */
export const settingNames = Object.keys(settings) as readonly SettingName[];

type ValueOf<S> = S extends Setting<infer T, infer D> ? (D extends null ? T | null : T) : never;
export type Settings = Readonly<{ [N in SettingName]: ValueOf<(typeof settings)[N]> }>;

/**
 * Whether a variable is the service's own, or that of Node.js, the AWS SDK or that of OpenTelemetry, which
 * read more of theirs.
 */
export const isOwnSetting = (name: string): boolean =>
  Object.hasOwn(settings, name) || /^(AWS|NODE|OTEL)_/.test(name);
