/** Every setting of the service (docs/settings.md); what is not named here can't be read. */
export const settingNames = [
  ...(['PORT', 'HOST', 'PUBLIC_URL', 'DATA_DIR', 'STORAGE_PORT', 'STORAGE_PUBLIC_URL'] as const),
  ...(['MASTER_KEY', 'EVIDENCE_KEY'] as const),
  ...([
    'WEBHOOK_RETRY_DELAYS',
    'WEBHOOK_EGRESS',
    'WEBHOOK_RESOLVE',
    'WEBHOOK_CA',
    'DELIVERY_RETENTION',
  ] as const),
  ...(['SESSION_TTL', 'BATCH_GRACE', 'SWEEP', 'RATE_LIMIT', 'AUTH_FAILURES', 'TRUST_PROXY'] as const),
  ...(['ALLOWED_ORIGINS', 'AGENT_URL', 'AGENT_MODEL', 'AGENT_KEY', 'WORKERS', 'METRICS_TOKEN'] as const),
  ...(['LOG_LEVEL', 'EVENTSTOREDB_URL', 'MONGODB_URL'] as const),
  ...(['S3_BUCKET', 'S3_ENDPOINT', 'S3_PUBLIC_ENDPOINT', 'S3_REGION', 'S3_PATH_STYLE', 'S3_SSE'] as const),
  ...(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const),
] as const;
export type SettingName = (typeof settingNames)[number];

const known: ReadonlySet<string> = new Set(settingNames);

/** Whether a variable is the service's own, or that of Node.js or the AWS SDK, which read more of theirs. */
export const isOwnSetting = (name: string): boolean => known.has(name) || /^(AWS|NODE)_/.test(name);
