import { addressOf, KEY_FORM } from './arguments.ts';
import { DEFAULT_PROFILE, profileNames, readProfile, type Stored } from './profiles.ts';

/** A service and a key of it, for commands over HTTP. `source`: where the key is from, in words. */
export type Account = Stored & Readonly<{ source: string }>;

/** What says which account a command is for: an address, or the name that one was stored under. */
export type AccountOptions = Readonly<{ url?: string; profile?: string }>;

/** Neither the options, nor the environment, nor `intake login` say which service and key to use. */
export class NotLoggedIn extends Error {
  override readonly name = 'NotLoggedIn';
}

/**
 * The account that a command is for: the options come first, then INTAKE_URL and INTAKE_KEY, then what
 * `intake login` stored. A stored key goes to the service that it was stored for alone (cli-12). Throws
 * `NotLoggedIn`, and `CommandFailed` for a file that is not private.
 */
export const accountOf = ({ url, profile }: AccountOptions): Account => {
  const { key = null, ...environment } = profile === undefined ? environmentOf() : {};
  const address = url ?? environment.url ?? null;
  if (key !== null && address !== null) return { url: address, key, source: 'INTAKE_KEY' };
  const stored = readProfile(profile ?? DEFAULT_PROFILE);
  if (!stored) throw new NotLoggedIn(missing(address, key, profile));
  if (key !== null) return { url: stored.url, key, source: 'INTAKE_KEY' };
  const source = `the profile ${profile ?? DEFAULT_PROFILE}`;
  if (address === null || address === stored.url) return { ...stored, source };
  throw new NotLoggedIn(`The key of ${source} is for ${stored.url}, not for ${address}.`);
};

const environmentOf = (): Partial<Stored> => {
  const { INTAKE_URL, INTAKE_KEY } = process.env;
  const url = INTAKE_URL ? addressOf(INTAKE_URL) : undefined;
  if (url === null) throw new NotLoggedIn('INTAKE_URL is no address such as https://intake.example.com.');
  if (INTAKE_KEY && !KEY_FORM.test(INTAKE_KEY))
    throw new NotLoggedIn('INTAKE_KEY is no API key: aok_ and 64 hexadecimal digits.');
  return { ...(url && { url }), ...(INTAKE_KEY && { key: INTAKE_KEY }) };
};

const missing = (address: string | null, key: string | null, profile: string | undefined): string => {
  if (profile !== undefined) {
    const names = profileNames();
    return `There is no profile ${profile}; ${names.length === 0 ? 'none is stored' : `there are ${names.join(', ')}`}.`;
  }
  if (address !== null) return `There is an address, ${address}, but no key.`;
  return key === null ? 'You are not logged in.' : 'INTAKE_KEY is set, but no address.';
};
