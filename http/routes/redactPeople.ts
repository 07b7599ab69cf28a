import type { RedactPeople } from '../../commands/redactPeople.ts';
import type { Invitation } from '../../domain/invitation.ts';
import type { User } from '../../domain/user.ts';
import type { Office } from '../../kernel/scope.ts';
import { invitationId, userId } from '../../schemas/parameters.ts';
import { InvitationRedacted, PersonRedacted } from '../../schemas/people.ts';
import { RedactRequest } from '../../schemas/redaction.ts';
import type { PersonCaller } from '../engine/access/caller.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext, isWithin } from './caller.ts';

type RedactPorts = Pick<RedactPeople, 'redactUser' | 'redactInvitation'> &
  Readonly<{
    /** A user and an invitation as the log has them; null for none. */
    current(userId: string): Promise<User | null>;
    issued(invitationId: string): Promise<Invitation | null>;
  }>;

const shownTo = <T extends Office>(caller: PersonCaller, found: T | null): T | null =>
  found && isWithin(caller, found) ? found : null;

/** Redaction of people and invitations, for the administrators of a company and of the platform. */
export const redactPeopleRoutes = (ports: RedactPorts): readonly Route[] => [
  route({
    name: 'redactPerson',
    summary: 'Remove the name and the e-mail of a disabled person, for ever',
    description:
      'What the person did stays, with the identifier. The invitations of the e-mail are redacted too, and it may be invited anew, as another person. A second request changes nothing.',
    method: 'POST',
    path: '/api/v1/people/{userId}/redact',
    access: 'people.manage',
    parameters: { userId },
    body: RedactRequest,
    answers: { 200: PersonRedacted },
    refusals: ['person-not-disabled'],
  })({
    find: async ({ caller, parameters }) => shownTo(caller, await ports.current(parameters.userId)),
    run: async ({ found: { userId: id }, body: { requestedBy = null, ...basis }, ...request }) => {
      const position = await ports.redactUser(id, { ...basis, requestedBy }, commandContext(request));
      return { status: 200, position, body: { id, redacted: true } };
    },
  }),
  route({
    name: 'redactInvitation',
    summary: 'Remove the e-mail of an invitation that can’t be used any more, for ever',
    description:
      'One that was used or revoked, or has expired. Whom it has made a user stays one. A second request changes nothing.',
    method: 'POST',
    path: '/api/v1/invitations/{invitationId}/redact',
    access: 'people.manage',
    parameters: { invitationId },
    body: RedactRequest,
    answers: { 200: InvitationRedacted },
    refusals: ['invitation-open'],
  })({
    find: async ({ caller, parameters }) => shownTo(caller, await ports.issued(parameters.invitationId)),
    run: async ({ found: { invitationId: id }, body: { requestedBy = null, ...basis }, ...request }) => {
      const position = await ports.redactInvitation(id, { ...basis, requestedBy }, commandContext(request));
      return { status: 200, position, body: { id, redacted: true } };
    },
  }),
];
