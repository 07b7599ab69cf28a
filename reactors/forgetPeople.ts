import { redactor } from '../commands/handle.ts';
import type { RedactPeople } from '../commands/redactPeople.ts';
import { untilShown } from '../commands/untilShown.ts';
import { type InvitationEvent, invitation } from '../domain/invitation.ts';
import { type UserEvent, user } from '../domain/user.ts';
import { causedBy, type EventOf } from '../kernel/event.ts';
import type { Progress } from '../projections/engine/progress.ts';
import type { DocumentStore } from '../stores/documents/port.ts';
import type { Reactor } from './engine/reactor.ts';

type Redacted = EventOf<UserEvent, 'UserRedacted'> | EventOf<InvitationEvent, 'InvitationRedacted'>;

type Ports = Readonly<{
  redactPeople: Pick<RedactPeople, 'forgetUser' | 'forgetInvitation'>;
  progress: Pick<Progress, 'reached'>;
  documents: Pick<DocumentStore, 'compact'>;
}>;

/**
 * What is private of redacted people and invitations is removed, also where the request was cut short, and
 * what the read models held of it leaves no bytes. From the origin: it may be done again.
 */
export const forgetPeople = ({ redactPeople, progress, documents }: Ports): Reactor<Redacted> => ({
  name: 'forgetPeople',
  startFrom: 'origin',
  prefixes: [user.category, invitation.category],
  handles: ['UserRedacted', 'InvitationRedacted'],
  react: async (event) => {
    const context = { actor: redactor, ...causedBy(event) } as const;
    if (event.type === 'UserRedacted') await redactPeople.forgetUser(event.data.userId, context);
    else await redactPeople.forgetInvitation(event.data.invitationId);
    const waits = 'a redaction waits until the read models no longer show what it removes';
    await untilShown(progress, event.position, waits);
    await documents.compact?.();
  },
});
