import { type Address, addressOf, targetOf } from './address.ts';
import { makeServiceUser } from './serviceUser.ts';

/** `code`: 0 done, 1 failed, 2 settings missing or not valid; `text` says which and holds no secret. */
type Ended = Readonly<{ code: 0 | 1 | 2; text: string }>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Makes the user `intake`, as the environment says: EVENTSTOREDB_ADMIN_URL is a connection string with an
 * administrator's credentials, EVENTSTOREDB_PASSWORD the user's password. Never throws.
 */
export const runUserProgram = async (env: Environment): Promise<Ended> => {
  const settings = settingsOf(env);
  if (typeof settings === 'string') return { code: 2, text: settings };
  const { address, password } = settings;
  try {
    return { code: 0, text: await makeServiceUser(address, { name: 'intake', password }) };
  } catch (error) {
    const nodes = address.seeds.map(targetOf).join(', ');
    return { code: 1, text: `EVENTSTOREDB_ADMIN_URL, ${nodes}: ${(error as Error).message}` };
  }
};

/** The settings, or what is wrong with them. */
const settingsOf = (env: Environment): Readonly<{ address: Address; password: string }> | string => {
  const { EVENTSTOREDB_ADMIN_URL: url, EVENTSTOREDB_PASSWORD: password } = env;
  if (!url) return 'EVENTSTOREDB_ADMIN_URL must be set: kurrentdb://user:password@host:2113, percent-encoded';
  if (!password) return 'EVENTSTOREDB_PASSWORD must be set: the password of the user intake';
  const address = readAddress(url);
  if (typeof address === 'string') return `EVENTSTOREDB_ADMIN_URL: ${address}`;
  if (!address.tls)
    return 'EVENTSTOREDB_ADMIN_URL: a server without TLS (tls=false) has no users, and needs none';
  if (!address.user)
    return "EVENTSTOREDB_ADMIN_URL must hold an administrator's user:password before the @, percent-encoded";
  return { address, password };
};

const readAddress = (url: string): Address | string => {
  try {
    return addressOf(url);
  } catch (error) {
    return (error as Error).message;
  }
};
