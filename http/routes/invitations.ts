import type { completions } from '../../commands/completeInvitation.ts';
import type { Company } from '../../domain/company.ts';
import type { Invitation } from '../../domain/invitation.ts';
import { CompleteInvitation, InvitationState, UserCreated } from '../../schemas/identity.ts';
import { invitationToken } from '../../schemas/parameters.ts';
import { type AuthFailures, countedAttempt } from '../engine/access/rateLimits.ts';
import { type Route, route } from '../engine/route.ts';
import { causeOf } from './caller.ts';
import { companyOf } from './companies.ts';

type InvitationPorts = Readonly<{
  invitations: ReturnType<typeof completions>;
  company(companyId: string): Promise<Company | null>;
  failures: AuthFailures;
}>;

/** Checks an invitation's token; an invalid one counts as a failure of its sender. Throws 429. */
export const countedCheck =
  ({ invitations, failures }: Omit<InvitationPorts, 'company'>) =>
  (token: string, address: string) => {
    const attempt = () => invitations.check(token);
    return countedAttempt(failures, address, attempt, ({ reason }) => reason !== 'invalid');
  };

/** Invitations of people. */
export const invitationRoutes = (ports: InvitationPorts): readonly Route[] => {
  const { invitations } = ports;
  const check = countedCheck(ports);
  return [
    route({
      name: 'validateInvitation',
      summary: 'Check an invitation',
      description:
        'An invitation that can’t be used is an answer, not a problem: its `reason` is `invalid`, `consumed` or `expired`.',
      method: 'GET',
      path: '/api/invitation/validate',
      access: 'none',
      query: { token: invitationToken },
      answers: { 200: InvitationState },
      refusals: ['rate-limited'],
    })({
      run: async ({ query: { token }, address }) => {
        if (!token) return { status: 200, body: { valid: false, reason: 'invalid' } };
        const { reason, invitation } = await check(token, address());
        if (reason !== null) return { status: 200, body: { valid: false, reason } };
        return { status: 200, body: await validState(invitation, ports) };
      },
    }),
    route({
      name: 'completeInvitation',
      summary: 'Accept an invitation: create its user with a password',
      description:
        'A refused password does not consume the invitation: it is none of the 10,000 most common ones, and has neither the e-mail nor the company’s name in it. Of concurrent requests exactly one is answered with 201.',
      method: 'POST',
      path: '/api/invitation/complete',
      access: 'none',
      body: CompleteInvitation,
      answers: { 201: UserCreated },
      refusals: [
        'rate-limited',
        'invitation-invalid',
        'invitation-consumed',
        'invitation-expired',
        'password-login-off',
      ],
    })({
      run: async ({ body: { token, password, name = null }, address, ...request }) => {
        await check(token, address());
        const made = await invitations.complete({ token, password, name }, causeOf(request));
        const { position, ...user } = made;
        return { status: 201, position, body: user };
      },
    }),
  ];
};

const validState = async (
  { email, role, companyId, expiresAt }: Invitation,
  ports: InvitationPorts,
): Promise<InvitationState> => {
  const company = companyId === null ? null : await ports.company(companyId);
  return { valid: true, reason: null, email, role, company: company && companyOf(company), expiresAt };
};
