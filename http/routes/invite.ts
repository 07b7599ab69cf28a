import type { invitations } from '../../commands/invite.ts';
import { INVITATION_HOURS } from '../../domain/invitation.ts';
import type { InvitationDocument, invitationQueries } from '../../projections/invitations.ts';
import { cursor, invitationId, limit } from '../../schemas/parameters.ts';
import { InvitationMade, InvitationRequest, InvitationRevoked, Invitations } from '../../schemas/people.ts';
import { NoMembers } from '../../schemas/sessions.ts';
import { pageOf } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext, isWithin } from './caller.ts';
import { type IssuedPorts, issuedBefore, issuedOf } from './issued.ts';
import { officeFaults, officeOf } from './offices.ts';

type InvitePorts = Readonly<{
  invitations: ReturnType<typeof invitations> & Pick<ReturnType<typeof invitationQueries>, 'list' | 'listOf'>;
  company(companyId: string): Promise<object | null>;
  /** Throws 429 once a company (null: the platform) has invited too often. */
  limit(companyId: string | null): Promise<void>;
}> &
  IssuedPorts;

/** Invitations, for the administrators of a company and of the platform (people-15). */
export const inviteRoutes = (ports: InvitePorts): readonly Route[] => [
  listRoute(ports),
  createRoute(ports),
  revokeRoute(ports),
];

const listRoute = ({ invitations }: InvitePorts): Route =>
  route({
    name: 'listInvitations',
    summary: 'List the invitations of the company, newest first; all to a super_admin who names none',
    description: 'Without their tokens; also those that were accepted, revoked or have expired.',
    method: 'GET',
    path: '/api/v1/invitations',
    access: 'people.read',
    query: { cursor, limit },
    answers: { 200: Invitations },
  })({
    run: async ({ caller: { companyId }, query }) => {
      const { list, listOf, standingOf } = invitations;
      const read = async (size: number, after: Parameters<typeof list>[1]) => {
        const page = await (companyId === null ? list(size, after) : listOf(companyId, size, after));
        const withState = async ({ mail = null, normalEmail: _, ...item }: InvitationDocument) => ({
          ...item,
          mail,
          state: await standingOf(item),
        });
        return { ...page, items: await Promise.all(page.items.map(withState)) };
      };
      const filters = { list: 'invitations', companyId };
      return { status: 200, body: await pageOf(query, filters, read, (item) => item) };
    },
  });

const createRoute = (ports: InvitePorts): Route =>
  route({
    name: 'invite',
    summary: 'Invite somebody to become a user',
    description: `The token is in this answer alone, or is mailed where the service sends mails. It is valid for ${INVITATION_HOURS} hours: who has it chooses the password. An e-mail may be invited again; the first invitation that is accepted makes the user.`,
    method: 'POST',
    path: '/api/v1/invitations',
    access: 'people.manage',
    body: InvitationRequest,
    answers: { 201: InvitationMade },
    refusals: ['email-taken', 'secret-shown-once', 'rate-limited'],
  })({
    replay: async (request) => {
      const made = await issuedBefore(request, ports, 'revoke it and invite again');
      if (made === null) return null;
      const { invitationId: id, email, role, companyId, expiresAt } = made;
      const body = { id, email, role, companyId, ...issuedOf({ token: null, expiresAt }, ports) };
      return { status: 201, body };
    },
    check: ({ caller, body }) => officeFaults(caller, body, caller.companyId, ports.company),
    run: async ({ body: { email, role, companyId }, ...request }) => {
      const office = officeOf(role, companyId, request.caller.companyId);
      await ports.limit(office.companyId);
      const { ulid } = request.reserved;
      const made = await ports.invitations.invite({ email, ...office }, commandContext(request), ulid);
      const body = { id: made.id, email, ...office, ...issuedOf(made, ports) };
      return { status: 201, position: made.position, body };
    },
  });

const revokeRoute = ({ invitations, issued }: InvitePorts): Route =>
  route({
    name: 'revokeInvitation',
    summary: 'Refuse an invitation that nobody has used',
    description: 'Its link is refused from then on.',
    method: 'POST',
    path: '/api/v1/invitations/{invitationId}/revoke',
    access: 'people.manage',
    parameters: { invitationId },
    body: NoMembers,
    answers: { 200: InvitationRevoked },
    refusals: ['invitation-consumed'],
  })({
    find: async ({ caller, parameters }) => {
      const found = await issued(parameters.invitationId);
      return found && isWithin(caller, found) ? found : null;
    },
    run: async ({ found: { invitationId: id }, ...request }) => {
      const position = await invitations.revokeInvitation(id, commandContext(request));
      return { status: 200, position, body: { id, revoked: true } };
    },
  });
