import { coresOf } from './cores.ts';
import { firstInvitationOf } from './firstInvitation.ts';
import { misspelt } from './misspelt.ts';
import { oidcFaults, oidcOf } from './oidc.ts';
import type { Setting, SettingFault } from './setting.ts';
import { type SettingName, type Settings, settingNames, settings } from './table.ts';

type Environment = Readonly<Record<string, string | undefined>>;

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

/** Every setting, checked; times in milliseconds. Their meanings are in table.ts. */
export type Config = ReturnType<typeof readConfig>;
type Engines = Config['engines'];
export type S3Engine = NonNullable<Engines['s3']>;

/** Reads the settings from environment variables; an empty one counts as unset. Throws `InvalidSettings`. */
export const readConfig = (environment: Environment) => {
  const { values, faults } = parse(environment);
  const misspeltSettings = misspelt(Object.keys(environment).filter((name) => environment[name]));
  const all = [...faults, ...contradictions(values, environment)];
  if (all.length > 0) throw new InvalidSettings([...all, ...misspeltSettings]);
  return {
    ...configOf(values),
    secretOf: (name: string) => signingSecret(environment, name),
    /** How the first person of a service that listens on `port` is invited. */
    firstInvitation: (port: number) => firstInvitationOf(environment, port),
    /** Variables that are nearly a setting's name, and have no effect. */
    misspelt: misspeltSettings,
  };
};

const configOf = (values: Settings) => ({
  port: values.PORT,
  host: values.HOST,
  publicUrl: values.PUBLIC_URL,
  engines: {
    eventStoreDbUrl: values.EVENTSTOREDB_URL,
    mongoDbUrl: values.MONGODB_URL,
    s3: s3Of(values),
  },
  dataDir: values.DATA_DIR,
  storagePort: values.STORAGE_PORT,
  storagePublicUrl: values.STORAGE_PUBLIC_URL,
  storageOrigins: values.STORAGE_ORIGINS,
  masterKey: values.MASTER_KEY,
  previousMasterKey: values.MASTER_KEY_PREVIOUS,
  kms: kmsOf(values),
  evidenceKey: values.EVIDENCE_KEY,
  webhook: webhookOf(values),
  sessionTtlMs: values.SESSION_TTL,
  batchGraceMs: values.BATCH_GRACE,
  sweep: values.SWEEP,
  trustProxy: values.TRUST_PROXY,
  rateLimit: values.RATE_LIMIT,
  authFailures: values.AUTH_FAILURES,
  allowedOrigins: values.ALLOWED_ORIGINS,
  mail: mailOf(values),
  oidc: oidcOf(values),
  passwordLogIn: values.PASSWORD_LOGIN === 'on',
  agent: agentOf(values),
  workers: values.WORKERS ?? coresOf(),
  readerModels: values.READER_MODELS,
  metricsToken: values.METRICS_TOKEN,
  otlpEndpoint: tracesEndpointOf(values),
  logLevel: values.LOG_LEVEL,
});

const webhookOf = (values: Settings) => ({
  retryDelaysMs: values.WEBHOOK_RETRY_DELAYS,
  egress: values.WEBHOOK_EGRESS,
  resolve: values.WEBHOOK_RESOLVE,
  retentionMs: values.DELIVERY_RETENTION,
  disableAfterMs: values.ENDPOINT_DISABLE_AFTER,
  ca: values.WEBHOOK_CA,
});

/** The whole address; null where no traces are sent. */
const tracesEndpointOf = ({
  OTEL_EXPORTER_OTLP_ENDPOINT: base,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole,
}: Settings): string | null => whole ?? (base && `${base}/v1/traces`);

const agentOf = ({ AGENT_URL: url, AGENT_MODEL: model, AGENT_KEY: key }: Settings) =>
  url === null ? null : { url, model, key };

/** Null where nothing is mailed. */
const mailOf = ({ SMTP_URL: server, MAIL_FROM: from, SMTP_CA: ca }: Settings) =>
  server === null || from === null ? null : { server, from, ca };

const parse = (environment: Environment) => {
  const faults: SettingFault[] = [];
  const read = (name: SettingName): unknown => {
    const { parse, default: standard, needs }: Setting<unknown> = settings[name];
    const refuse = (detail: string): null => {
      faults.push({ name, detail });
      return null;
    };
    const given = environment[name] || null;
    if (given !== null && needs !== undefined && !environment[needs]) return refuse(`needs ${needs}`);
    const parsed = given === null ? null : parse(given, refuse);
    return parsed ?? (standard === null ? null : parse(standard, refuse));
  };
  const values = Object.fromEntries(settingNames.map((name) => [name, read(name)])) as Settings;
  return { values, faults };
};

/** Faults between settings. */
const contradictions = (values: Settings, environment: Environment): readonly SettingFault[] => {
  const faults: SettingFault[] = [...oidcFaults(environment)];
  const isSet = (name: SettingName): boolean => Boolean(environment[name]);
  const fault = (name: SettingName, detail: string): void => void faults.push({ name, detail });
  const { PORT, STORAGE_PORT } = values;
  const hasBucket = isSet('S3_BUCKET');
  if (!hasBucket && PORT !== 0 && PORT === STORAGE_PORT)
    fault('STORAGE_PORT', `must differ from PORT, which is ${PORT} too`);
  // Only an embedded store has a place of its own to keep a key that it made.
  if (
    !isSet('MASTER_KEY') &&
    !isSet('KMS_KEY') &&
    (hasBucket || isSet('EVENTSTOREDB_URL') || isSet('MONGODB_URL'))
  )
    fault('MASTER_KEY', 'or KMS_KEY must be set when an engine is (openssl rand -base64 32)');
  if (!hasBucket && !isSet('KMS_KEY')) return faults;
  if (hasBucket && !isSet('S3_ENDPOINT') && !isSet('S3_REGION'))
    fault('S3_REGION', 'must be set, or S3_ENDPOINT for a store that is not AWS');
  const pair = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;
  const unset = pair.find((name) => !isSet(name));
  const set = pair.find(isSet);
  if (unset && set) fault(unset, `must be set beside ${set}`);
  return faults;
};

/**
 * A bucket; null where none is named. `endpoint` null: AWS itself; `credentials` null: the SDK's own chain.
 */
const s3Of = (values: Settings) => {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_PUBLIC_ENDPOINT: publicEndpoint } = values;
  if (bucket === null) return null;
  return {
    ...{ bucket, endpoint, publicEndpoint },
    region: values.S3_REGION ?? 'us-east-1',
    pathStyle: values.S3_PATH_STYLE ?? endpoint !== null,
    encryption: values.S3_SSE,
    credentials: credentialsOf(values),
  } as const;
};

/** Null: the SDK's own chain. */
const credentialsOf = (values: Settings) => {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = values;
  const sessionToken = values.AWS_SESSION_TOKEN;
  if (accessKeyId === null || secretAccessKey === null) return null;
  return { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) };
};

/** A key of KMS, in the region of its ARN, else in that of the bucket, else in the SDK's own. */
const kmsOf = (values: Settings) => {
  const { KMS_KEY: key, KMS_ENDPOINT: endpoint, S3_REGION } = values;
  if (key === null) return null;
  const region = /^arn:[^:]*:kms:([^:]+):/.exec(key)?.[1] ?? S3_REGION;
  return { key, endpoint, region, credentials: credentialsOf(values) };
};

/** A key of Standard Webhooks: base64 of 16 bytes or more. */
const KEY = /^whsec_[A-Za-z0-9+/]{22,}={0,2}$/;

/**
 * The secret in a setting that a workflow version names; null where it is not set, or begins with `whsec_`
 * and is no key in base64: that would sign with what everybody can guess.
 */
export const signingSecret = (environment: Environment, name: string): string | null => {
  const secret = (Object.hasOwn(environment, name) && environment[name]) || null;
  return secret?.startsWith('whsec_') && !KEY.test(secret) ? null : secret;
};

/** What lies in DATA_DIR: the parts whose engine is not set. */
export const embeddedParts = ({ eventStoreDbUrl, mongoDbUrl, s3 }: Engines) => ({
  log: eventStoreDbUrl === null,
  documents: mongoDbUrl === null,
  files: s3 === null,
});

/** Whether a DATA_DIR is needed at all. */
export const needsDataDir = (engines: Engines): boolean =>
  Object.values(embeddedParts(engines)).includes(true);

type PublicConfig = Pick<Config, 'publicUrl' | 'host' | 'port'>;
type WarnedConfig = PublicConfig & Pick<Config, 'misspelt' | 'storagePublicUrl' | 'engines' | 'mail'>;

/** The API's public address; `port` is the one that it listens on. */
export const publicUrlOf = ({ publicUrl, host, port }: PublicConfig, listening = port): string =>
  publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${listening}`;

/** Faults of settings that do not prevent a start. `storageUrl` is the address that upload URLs name. */
export const warningsOf = (config: WarnedConfig, storageUrl: string): readonly SettingFault[] => {
  const { misspelt, publicUrl, storagePublicUrl, engines, mail } = config;
  const faults = [...misspelt];
  const fault = (name: SettingName, detail: string): void => void faults.push({ name, detail });
  if (publicUrl === null && mail !== null)
    fault('PUBLIC_URL', `is not set, though SMTP_URL is: mailed links begin with ${publicUrlOf(config)}`);
  if (publicUrl !== null && storagePublicUrl === null && engines.s3 === null)
    fault(
      'STORAGE_PUBLIC_URL',
      `is not set, though PUBLIC_URL is: upload and download addresses name ${storageUrl}`,
    );
  return faults;
};
