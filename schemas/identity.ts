import { permissionNames } from '../domain/permissions.ts';
import { NAME_MARKS } from '../kernel/nameMarks.ts';
import {
  anyObject,
  closed,
  id,
  meaning,
  nullable,
  type Of,
  oneOf,
  optional,
  pageOf,
  Time,
  Type,
  text,
  time,
} from '../kernel/schema.ts';
import { roles } from '../kernel/scope.ts';
import { WorkflowDefinition } from './workflowDefinition.ts';

export const Role = oneOf(roles);
export const SessionKind = oneOf(['token', 'cookie']);
const Password = Type.String({ minLength: 8, maxLength: 256 });
export const Email = Type.String({ format: 'email', maxLength: 254, examples: ['jane.doe@example.com'] });

/** A company (companies-2). */
export const Company = Type.Object({ id: id('cmp'), name: Type.String() });
export type Company = Of<typeof Company>;

export const Companies = pageOf(Company);
export type Companies = Of<typeof Companies>;

/** A name of people or companies: on one line, in the direction of its letters. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: `^[^${NAME_MARKS}]+$`,
  description: '1 to 128 characters on one line, without marks of direction',
  examples: ['ACME Trading'],
});

export const CompanyRequest = closed({ name: Name });

export const InvitationFault = oneOf(['invalid', 'consumed', 'expired']);

/** Always a 200 (invitations-2); the optional members belong to a valid invitation. */
export const InvitationState = Type.Object({
  valid: Type.Boolean(),
  reason: nullable(InvitationFault),
  email: Type.Optional(Email),
  role: Type.Optional(Role),
  company: Type.Optional(nullable(Company)),
  expiresAt: Type.Optional(Time),
});
export type InvitationState = Of<typeof InvitationState>;

/** The token of an invitation, as its link has it. */
export const InvitationToken = Type.String({ minLength: 1, maxLength: 512 });

export const CompleteInvitation = closed({
  token: InvitationToken,
  password: Password,
  name: optional(Name),
});

/** A password of any length is checked as the current one. */
export const ChangePassword = closed({
  current: Type.String({ maxLength: 1024 }),
  password: Password,
});

export const UserCreated = Type.Object({ userId: id('usr'), email: Email, role: Role });

/** A password of any length is checked. */
export const LogIn = closed({
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 1024 }),
  session: optional(meaning(SessionKind, '`token` for programs, `cookie` for pages of the service')),
});

export const LoggedIn = Type.Object({
  token: nullable(text('the session bearer token, once; null where the session is a cookie')),
  csrfToken: nullable(
    text('to send as `X-CSRF-Token` with each change; null where the session is no cookie'),
  ),
  expiresAt: Time,
});
export type LoggedIn = Of<typeof LoggedIn>;

export const PermissionName = oneOf(permissionNames);

export const Me = Type.Object({
  userId: id('usr'),
  email: nullable(Type.String()),
  name: nullable(Type.String()),
  role: Role,
  company: nullable(Company),
  permissions: Type.Array(PermissionName, { description: 'what the role permits' }),
  sessionId: id('lgn'),
  csrfToken: nullable(
    text('to send as `X-CSRF-Token` with each change; null where the session is no cookie'),
  ),
  expiresAt: time('when the session ends at the latest'),
});
export type Me = Of<typeof Me>;

/** A person's sessions; `agent` is what the browser or program said that it is. */
export const OwnSession = Type.Object({
  sessionId: id('lgn'),
  kind: SessionKind,
  agent: Type.String(),
  createdAt: Time,
  lastSeenAt: Time,
  expiresAt: Time,
  current: Type.Boolean(),
});

export const OwnSessions = pageOf(OwnSession);
export type OwnSessions = Of<typeof OwnSessions>;

/** `definitionProblems` checks the draft. */
export const AgentRequest = closed({
  instruction: Type.String({ minLength: 1, maxLength: 8000 }),
  draft: optional(anyObject('the workflow definition to revise')),
});

export const DraftedBy = oneOf(['model', 'rules']);

/** `draft` is a valid definition; `notes` are for its reader. */
export const AgentAnswer = Type.Object({
  draft: WorkflowDefinition,
  notes: Type.Array(Type.String()),
  by: meaning(DraftedBy, 'whether a model made the draft, or the built-in rules'),
});
export type AgentAnswer = Of<typeof AgentAnswer>;

/** A draft without who made it. */
export type Draft = Pick<AgentAnswer, 'draft' | 'notes'>;

/** An `AgentRequest` that was checked: `draft` is a valid definition to revise. */
export type DraftRequest = Readonly<{ instruction: string; draft: WorkflowDefinition | null }>;

/** Drafts or revises a workflow definition, which is not published. */
export type DraftWorkflow = (request: DraftRequest) => Promise<AgentAnswer>;
