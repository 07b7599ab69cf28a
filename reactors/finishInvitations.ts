import type { Finish } from '../commands/finishInvitation.ts';
import type { InvitationAccepted } from '../domain/invitation.ts';
import { causedBy } from '../kernel/event.ts';
import type { Reactor } from './engine/reactor.ts';

/**
 * Each accepted invitation gets its user or its new password, also where the request that accepted it was cut
 * short. From the origin: every step of it may be done again.
 */
export const finishInvitations = (finish: Finish): Reactor<InvitationAccepted> => ({
  name: 'finishInvitations',
  startFrom: 'origin',
  prefixes: ['invitation-'],
  handles: ['InvitationAccepted'],
  react: async (event) => {
    const actor = { kind: 'system', id: 'invitations' } as const;
    await finish(event.data.invitationId, { actor, ...causedBy(event) });
  },
});
