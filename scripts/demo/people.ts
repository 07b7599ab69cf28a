import { randomBytes } from 'node:crypto';
import { createClient, type IntakeClient } from '../../client/index.ts';
import type { Role } from '../../kernel/scope.ts';

/** Somebody to be invited. */
export type Invitee = Readonly<{ name: string; email: string; role: Role }>;

/** Of its own for each run: an e-mail has one user, and a database of an earlier run still knows it. */
const DOMAIN = `demo-${randomBytes(2).toString('hex')}.example`;

/** Somebody of the demo, whose e-mail begins with the first name. */
export const invitee = (name: string, role: Role): Invitee => ({
  ...{ name, role, email: `${name.toLowerCase().split(' ')[0]}@${DOMAIN}` },
});

/** A person with a password, who has logged in: `api` is what that session may call. */
export type Person = Invitee & Readonly<{ userId: string; password: string; api: IntakeClient }>;

/** Where people are invited: the service, the company that they belong to. */
export type Place = Readonly<{ url: string; companyId: string }>;

type Invited = Readonly<{ token: string; url: string }>;

/** The first person of the platform, whom the command line invites. */
export const OPERATOR = invitee('Sam Torres', 'super_admin');

/** Who reviews the demo's receipts. */
export const ANN = invitee('Ann Meyer', 'reviewer');

/** Invites somebody to the company, as one of its administrators does. */
export const invite = async ({ api }: Person, { email, role }: Invitee): Promise<Invited> => {
  const { token, url } = await api.post('/api/v1/invitations', { body: { email, role } });
  // They are null only where the service mails them itself.
  if (token === null || url === null) throw new Error(`the invitation of ${email} was mailed`);
  return { token, url };
};

/** Accepts an invitation with a password that nothing but this process knows, and logs in. */
export const accept = async (
  { url, companyId }: Place,
  somebody: Invitee,
  { token }: Pick<Invited, 'token'>,
): Promise<Person> => {
  const { name, email, role } = somebody;
  const password = randomBytes(18).toString('base64url');
  const anybody = createClient({ url });
  const { userId } = await anybody.post('/api/invitation/complete', { body: { token, password, name } });
  const { token: key } = await anybody.post('/api/auth/sessions', { body: { email, password } });
  const headers: Record<string, string> = role === 'super_admin' ? { 'Intake-Company': companyId } : {};
  const api = createClient({ url, key: key ?? '', headers });
  return { ...somebody, userId, password, api };
};

/** Somebody of the company, invited by `by`. */
export const join = async (place: Place, by: Person, somebody: Invitee): Promise<Person> =>
  accept(place, somebody, await invite(by, somebody));
