import { authentication } from '../../commands/authenticate.ts';
import { completions } from '../../commands/completeInvitation.ts';
import { finishInvitation } from '../../commands/finishInvitation.ts';
import type { Handle } from '../../commands/handle.ts';
import { invitations } from '../../commands/invite.ts';
import { users } from '../../commands/users.ts';
import { normalEmail } from '../../domain/userEmail.ts';
import { hmacId } from '../../kernel/hmac.ts';
import { createIdentity, type Identity } from '../../stores/identity.ts';
import type { Passwords } from '../../stores/passwords.ts';
import type { Stores } from './stores.ts';

/** Passwords for the rules around them: the real ones take 10 ms each. */
const quickPasswords: Passwords = {
  hash: async (password) => `hash of ${password}`,
  verify: async (hash, password) => hash === `hash of ${password}`,
};

const MASTER_KEY = Buffer.alloc(32, 7);

type Broken = Readonly<{ handle?: Handle; identity?: Partial<Identity> }>;

/** The commands of identity over the stores; `broken` replaces parts, to crash there. */
export const identityOver = (stores: Stores, broken: Broken = {}) => {
  const whole = createIdentity(stores.documents.tables);
  const identity: Identity = { ...whole, ...broken.identity };
  const emailIdOf = (email: string): string => hmacId(MASTER_KEY, 'email', normalEmail(email));
  const ports = { ...stores, handle: broken.handle ?? stores.handle, identity, emailIdOf };
  const finish = finishInvitation(ports);
  const passwords = quickPasswords;
  return {
    identity: whole,
    emailIdOf,
    finish,
    ...invitations(ports),
    ...completions({ ...ports, passwords, finish }),
    ...users({ ...ports, finish }),
    ...authentication({ ...ports, passwords }),
  };
};
