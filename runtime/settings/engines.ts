import type { SettingName } from './names.ts';
import type { Reader } from './parsers.ts';
import { type S3Engine, s3Of } from './s3.ts';

/** The engines that stand in place of the embedded stores, each by itself; null: that part is embedded. */
export type Engines = Readonly<{
  /** Connection strings: they may hold a password. */
  eventStoreDbUrl: string | null;
  mongoDbUrl: string | null;
  s3: S3Engine | null;
}>;

const LOG_SCHEMES = ['kurrentdb', 'kurrent', 'esdb'].flatMap((scheme) => [scheme, `${scheme}+discover`]);

/** Reads which engines are to be used, and how. */
export const enginesOf = (settings: Reader): Engines => {
  const engines = {
    eventStoreDbUrl: connectionString(settings, 'EVENTSTOREDB_URL', LOG_SCHEMES),
    mongoDbUrl: connectionString(settings, 'MONGODB_URL', ['mongodb', 'mongodb+srv']),
    s3: s3Of(settings),
  };
  // Nobody but an embedded store has a place of its own to keep a key that it made.
  if (settings.text('MASTER_KEY', null) === null && Object.values(engines).some((engine) => engine !== null))
    settings.fault('MASTER_KEY', 'must be set when an engine is (openssl rand -base64 32)');
  return engines;
};

const HOSTS = String.raw`[\w.-]+(:\d{1,5})?|\[[\da-fA-F:.]+\](:\d{1,5})?`;

/**
 * No fault repeats what was given: a password may be in it. An @ behind the hosts comes of one that is not encoded, whose
 * beginning looks like a host and its end like an option.
 */
const connectionString = (settings: Reader, name: SettingName, schemes: readonly string[]): string | null => {
  const text = settings.text(name, null);
  if (text === null) return null;
  const scheme = schemes.map((one) => one.replace('+', '\\+')).join('|');
  const form = new RegExp(
    `^(${scheme})://([^\\s@/?#]+@)?(${HOSTS})(,(${HOSTS}))*(/[^\\s?#@]*)?(\\?[^\\s#@]*)?$`,
  );
  if (!form.test(text))
    settings.fault(
      name,
      `must be ${schemes.slice(0, -1).join('://, ')}:// or ${schemes.at(-1)}://, perhaps user:password@ (percent-encoded), one or more host:port, and perhaps options`,
    );
  return text;
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
