import { closed, meaning, nullable, type Of, oneOf, optional, Type, text } from '../kernel/schema.ts';
import { companyRoles } from '../kernel/scope.ts';
import { InvitationToken, LogInEnd } from './identity.ts';

/** As a browser writes a part of a path that a page has encoded, and a query. */
const PART = "([A-Za-z0-9._~!'()*-]|%[0-9A-Fa-f]{2})";
const QUERY = "[A-Za-z0-9._~!$'()*+,;:@/?=&%-]";

/**
 * A page of the console: a path under it, perhaps with a query, that leads nowhere else however it is read
 * (logins-10).
 */
const ReturnTo = Type.String({
  maxLength: 1024,
  pattern: `^/console(/(?!(\\.|%2[eE]){1,2}([/?]|$))${PART}+)*/?(\\?${QUERY}*)?$`,
  description: 'where the page goes on: a path under /console, perhaps with a query',
  examples: ['/console/queue?status=review'],
});

/**
 * How people log in; `identityProvider` is the host of the OpenID provider, null without one (logins-17).
 * `hasUsers`: whether anybody can (logins-24).
 */
export const LogInMethods = Type.Object({
  password: meaning(Type.Boolean(), 'whether others than super_admins may log in with a password'),
  identityProvider: nullable(
    text('the host of the identity provider by which people log in', 'login.example.com'),
  ),
  hasUsers: meaning(
    Type.Boolean(),
    'false while nobody has completed an invitation: the first person is then invited by `intake invite`; true where that is not known at the moment',
  ),
});

export type LogInMethods = Of<typeof LogInMethods>;

export const BeginLogIn = closed({
  returnTo: optional(ReturnTo),
  invitation: optional(meaning(InvitationToken, 'the token of the invitation that the log-in accepts')),
});

export const BegunLogIn = Type.Object({
  location: text(
    'where the page goes now: the identity provider, which sends it back',
    'https://login.example.com/authorize?client_id=intake&response_type=code&code_challenge_method=S256&scope=openid+email+profile',
  ),
});
export type BegunLogIn = Of<typeof BegunLogIn>;

const ATTEMPT = 'q0V0QmFzZTY0RXhhbXBsZU9mQUNzcmZUb2tlbkhlcmU';

/** What the identity provider sent the browser back with: a code, or an error. */
export const CompleteLogIn = closed({
  code: optional(Type.String({ maxLength: 4096, examples: ['Zk3v9TqX1'] })),
  error: optional(Type.String({ maxLength: 256 })),
  state: Type.String({ minLength: 1, maxLength: 512, examples: [ATTEMPT] }),
  iss: optional(Type.String({ maxLength: 512, examples: ['https://login.example.com'] })),
});

export const CompletedLogIn = Type.Object({
  csrfToken: text('to send as `X-CSRF-Token` with each change', ATTEMPT),
  expiresAt: LogInEnd,
  returnTo: ReturnTo,
});
export type CompletedLogIn = Of<typeof CompletedLogIn>;

export const MappedRole = oneOf(companyRoles);

export const RolesByClaim = Type.Unsafe<Record<string, (typeof companyRoles)[number]>>({
  type: 'object',
  additionalProperties: MappedRole,
  propertyNames: { minLength: 1, maxLength: 256 },
  maxProperties: 200,
  description: 'the role by the claim’s value',
  examples: [{ 'intake-reviewers': 'reviewer', 'intake-administrators': 'org_admin' }],
});

/** Which claim gives which role; without one roles are those of the invitations (logins-14). */
export const CompanyLogIn = Type.Object({
  claim: nullable(text('the name of the claim, or its path with dots', 'groups')),
  roles: RolesByClaim,
});

export type CompanyLogIn = Of<typeof CompanyLogIn>;

export const ChangeCompanyLogIn = closed({
  claim: optional(Type.String({ minLength: 1, maxLength: 128, examples: ['groups'] })),
  roles: optional(RolesByClaim),
});
