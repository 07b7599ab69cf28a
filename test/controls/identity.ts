import { authentication, type Client } from '../../commands/authenticate.ts';
import { completions } from '../../commands/completeInvitation.ts';
import { finishInvitation } from '../../commands/finishInvitation.ts';
import type { Handle } from '../../commands/handle.ts';
import { invitations, mailedToken, type NewInvitation } from '../../commands/invite.ts';
import { keepAdministrator } from '../../commands/keepAdministrator.ts';
import { type IdentityProvider, logInByProvider } from '../../commands/logInByProvider.ts';
import { users } from '../../commands/users.ts';
import { normalEmail } from '../../domain/userEmail.ts';
import type { Cause } from '../../kernel/event.ts';
import { createIdentity, type Identity } from '../../stores/identity.ts';
import { createLogInAttempts } from '../../stores/logInAttempts.ts';
import type { Passwords } from '../../stores/passwords.ts';
import { keyringOf } from './keyring.ts';
import type { Stores } from './stores.ts';

/** Passwords for the rules around them: the real ones take 10 ms each. */
const quickPasswords: Passwords = {
  hash: async (password) => `hash of ${password}`,
  verify: async (hash, password) => hash === `hash of ${password}`,
};

const { nameOf } = keyringOf(Buffer.alloc(32, 7));

/** An invitation whose token is shown: nothing is mailed. */
export const shown = async (made: Promise<NewInvitation>): Promise<NewInvitation & { token: string }> => {
  const { token, ...invitation } = await made;
  if (token === null) throw new Error('its token is mailed');
  return { ...invitation, token };
};

type Broken = Readonly<{ handle?: Handle; identity?: Partial<Identity> }>;

const emailIdOf = (email: string): string => nameOf('email', normalEmail(email));
const subjectIdOf = (issuer: string, subject: string): string => nameOf('oidc', issuer, subject);
/** The token of an invitation that is mailed. */
export const tokenOf = (id: string): string => mailedToken(nameOf, id);

/** The commands that issue invitations, where these are mailed. */
export const mailedOver = (stores: Stores) => {
  const identity = createIdentity(stores.documents.tables);
  const ports = { ...stores, identity, emailIdOf, mailedToken: tokenOf };
  const keep = keepAdministrator({ ...ports, administratorsOf: administratorsIn(stores) });
  const finish = finishInvitation(ports);
  return { ...invitations(ports), ...users({ ...ports, finish, keepAdministrator: keep }) };
};

/** Everybody may be one: rows decide, the read model only says whose are to be read. */
const administratorsIn = ({ documents }: Stores) =>
  async function* () {
    const rows = await documents.tables.list('users');
    yield rows.map(({ key }) => key).filter((key) => key.startsWith('usr_'));
  };

/** The commands of identity over the stores; `broken` replaces parts, to crash there. */
export const identityOver = (stores: Stores, broken: Broken = {}) => {
  const whole = createIdentity(stores.documents.tables);
  const identity: Identity = { ...whole, ...broken.identity };
  const ports = { ...stores, handle: broken.handle ?? stores.handle, identity, emailIdOf, mailedToken: null };
  const finish = finishInvitation(ports);
  const passwords = quickPasswords;
  const keep = keepAdministrator({ ...ports, administratorsOf: administratorsIn(stores) });
  const [invited, people] = [invitations(ports), users({ ...ports, finish, keepAdministrator: keep })];
  const logIns = authentication({ ...ports, passwords, passwordLogIn: true });
  const attempts = createLogInAttempts(stores.documents.tables);
  return {
    identity: whole,
    emailIdOf,
    subjectIdOf,
    finish,
    ...invited,
    invite: (...given: Parameters<typeof invited.invite>) => shown(invited.invite(...given)),
    ...completions({ ...ports, passwords, finish, passwordLogIn: true }),
    ...people,
    resetUser: (...given: Parameters<typeof people.resetUser>) => shown(people.resetUser(...given)),
    ...logIns,
    logIn: (email: string, password: string, client: Client, cause: Cause) =>
      logIns.logIn(email, password, client, cause, () => undefined),
    /** Log-ins by this identity provider. */
    by: (provider: IdentityProvider) =>
      logInByProvider({ ...ports, finish, people: logIns, attempts, provider, subjectIdOf }),
  };
};
