import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { CommandFailed } from './failure.ts';
import { writePrivate } from './privateFile.ts';

/** What `intake login` stores: the address of a service, and a key of it. */
export type Stored = Readonly<{ url: string; key: string }>;

/** The profile of who names none. */
export const DEFAULT_PROFILE = 'default';

const isWindows = process.platform === 'win32';

/** The file of a profile, in the user's configuration folder. */
export const profileFile = (profile: string): string => join(folder(), `${profile}.json`);

/**
 * What is stored under a profile; null for nothing. Throws `CommandFailed` for a file that others than its
 * owner can read or write, and for one that holds something else (cli-11).
 */
export const readProfile = (profile: string): Stored | null => {
  const path = profileFile(profile);
  if (!existsSync(path)) return null;
  const stored = storedIn(readPrivate(path));
  if (stored !== null) return stored;
  throw new CommandFailed(
    'profile-damaged',
    `${path} holds no address and key.`,
    'Log in again: intake login URL',
  );
};

/** Stores under a profile, in a file of this user alone, whole or not at all (cli-11). */
export const writeProfile = (profile: string, { url, key }: Stored): void =>
  writePrivate(profileFile(profile), `${JSON.stringify({ url, key })}\n`);

/** Removes what is stored under a profile; false where nothing was. */
export const removeProfile = (profile: string): boolean => {
  const isThere = existsSync(profileFile(profile));
  if (isThere) rmSync(profileFile(profile));
  return isThere;
};

/** The names of the profiles that there are. */
export const profileNames = (): readonly string[] =>
  existsSync(folder())
    ? readdirSync(folder()).flatMap((name) =>
        name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : [],
      )
    : [];

const folder = (): string => {
  const { APPDATA, XDG_CONFIG_HOME = '' } = process.env;
  if (isWindows && APPDATA) return join(APPDATA, 'intake');
  // The XDG specification has a relative path ignored.
  return join(isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homedir(), '.config'), 'intake');
};

const OTHERS = 0o077;

const readPrivate = (path: string): string => {
  const file = openSync(path, 'r');
  try {
    if (!isWindows && (fstatSync(file).mode & OTHERS) !== 0)
      throw new CommandFailed(
        'profile-not-private',
        `${path} holds a key, and others than you can read or change it: it is not used.`,
        `If nobody has: chmod 600 ${path}. Otherwise make a new key, and log in with that.`,
      );
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
};

const storedIn = (text: string): Stored | null => {
  try {
    const { url, key } = JSON.parse(text) as Partial<Stored>;
    return typeof url === 'string' && typeof key === 'string' ? { url, key } : null;
  } catch {
    return null;
  }
};
