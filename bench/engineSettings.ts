import { randomBytes } from 'node:crypto';
import { engineSettings as named } from '../runtime/settings/engines.ts';

/** What names a document store and an object store; the log of a bench is always its own. */
const NAMES =
  /^(MONGODB_URL|MASTER_KEY|EVIDENCE_KEY|S3_\w+|AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN))$/;

/**
 * The settings of engines that the environment names, for one service of a bench: with a database of its own,
 * since engines outlive a bench, and read models belong to one log.
 */
export const engineSettings = (): Readonly<Record<string, string>> => {
  const named = Object.entries(process.env).flatMap(([name, value]) =>
    value && NAMES.test(name) ? [[name, name === 'MONGODB_URL' ? ownDatabase(value) : value]] : [],
  );
  return Object.fromEntries(named);
};

/** Leaves no engine to a service that inherits the environment: an empty setting is an unset one. */
export const withoutEngines: Readonly<Record<string, string>> = Object.fromEntries(
  ['MASTER_KEY', 'EVIDENCE_KEY', ...Object.keys(named)].map((name) => [name, '']),
);

/** The address of a new database on the server of another one. */
export const ownDatabase = (address: string): string => {
  const url = new URL(address);
  url.pathname = `/bench_${randomBytes(4).toString('hex')}`;
  return url.href;
};
