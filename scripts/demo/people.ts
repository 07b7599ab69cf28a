import { randomBytes } from 'node:crypto';
import { type Integration, integration, request } from './integration.ts';

type Role = 'super_admin' | 'org_admin' | 'reviewer' | 'auditor';

/** Somebody to be invited. */
export type Invitee = Readonly<{ name: string; email: string; role: Role }>;

/** Of its own for each run: an e-mail has one user, and a database of an earlier run still knows it. */
const DOMAIN = `demo-${randomBytes(2).toString('hex')}.example`;

/** Somebody of the demo, whose e-mail begins with the first name. */
export const invitee = (name: string, role: Role): Invitee => ({
  ...{ name, role, email: `${name.toLowerCase().split(' ')[0]}@${DOMAIN}` },
});

/** A person with a password, who has logged in: `api` is what that session may call. */
export type Person = Invitee & Readonly<{ userId: string; password: string; api: Integration }>;

/** Where people are invited: the service, the company that they belong to. */
export type Place = Readonly<{ url: string; companyId: string }>;

type Invited = Readonly<{ token: string; url: string }>;

/** The first person of the platform, whom the command line invites. */
export const OPERATOR = invitee('Sam Torres', 'super_admin');

/** Who reviews the demo's receipts. */
export const ANN = invitee('Ann Meyer', 'reviewer');

/** Invites somebody to the company, as one of its administrators does. */
export const invite = ({ api }: Person, { email, role }: Invitee): Promise<Invited> =>
  api.post<Invited>('/invitations', { email, role });

/** Accepts an invitation with a password that nothing but this process knows, and logs in. */
export const accept = async (
  { url, companyId }: Place,
  somebody: Invitee,
  { token }: Pick<Invited, 'token'>,
): Promise<Person> => {
  const { name, email, role } = somebody;
  const password = randomBytes(18).toString('base64url');
  const post = <T>(path: string, body: object): Promise<T> => request<T>('POST', `${url}${path}`, {}, body);
  const { userId } = await post<{ userId: string }>('/api/invitation/complete', { token, password, name });
  const session = await post<{ token: string }>('/api/auth/sessions', { email, password });
  const company = role === 'super_admin' ? { 'intake-company': companyId } : {};
  const api = integration(url, session.token, company);
  return { ...somebody, userId, password, api };
};

/** Somebody of the company, invited by `by`. */
export const join = async (place: Place, by: Person, somebody: Invitee): Promise<Person> =>
  accept(place, somebody, await invite(by, somebody));
