import type { FirstInvitation } from '../../cli/runtime.ts';
import { type SettingName, settings } from './table.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings by which the command finds the data, and makes the link. */
const OPEN = ['DATA_DIR', 'HOST', 'PUBLIC_URL', 'STORAGE_PORT'] as const satisfies readonly SettingName[];

/** Settings that name engines, keys and a mail server: some are secret, and none works without the others. */
const OTHERS = [
  ...(['EVENTSTOREDB_URL', 'MONGODB_URL', 'S3_BUCKET', 'MASTER_KEY', 'MASTER_KEY_PREVIOUS'] as const),
  ...(['KMS_KEY', 'SMTP_URL'] as const),
] satisfies readonly SettingName[];

/**
 * What `intake invite` needs of the environment to invite to this service, which listens on `port`: its data
 * is found and its links are right in another terminal of the same folder.
 */
export const firstInvitationOf = (environment: Environment, port: number): FirstInvitation => {
  const isSet = (name: SettingName): boolean => Boolean(environment[name]);
  const given: readonly (readonly [SettingName, string])[] = [
    ...OPEN.filter(isSet).map((name) => [name, environment[name] ?? ''] as const),
    ...(String(port) === settings.PORT.default || isSet('PUBLIC_URL') ? [] : [['PORT', `${port}`] as const]),
  ];
  return {
    settings: given.map(([name, value]) => `${name}=${quoted(value)}`),
    secret: OTHERS.filter(isSet),
  };
};

/** A word as a shell reads it. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
