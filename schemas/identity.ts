import { permissionNames } from '../domain/permissions.ts';
import { NAME_PATTERN } from '../kernel/nameMarks.ts';
import {
  anyObject,
  closed,
  example,
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
  times,
} from '../kernel/schema.ts';
import { roles } from '../kernel/scope.ts';
import { WorkflowDefinition } from './workflowDefinition.ts';

export const Role = example(oneOf(roles), 'reviewer');
export const SessionKind = oneOf(['token', 'cookie']);
const EMAIL = 'jane.doe@example.com';
const PASSWORD = 'correct horse battery staple';
const Password = Type.String({ minLength: 8, maxLength: 256, examples: [PASSWORD] });
/** When a log-in of the examples ends. */
export const LogInEnd = example(Time, '2026-11-21T22:46:00.000Z');
/** When an invitation of the examples ends. */
export const InvitationEnd = example(Time, '2026-11-24T10:46:00.000Z');
/** A person's name in answers; null before an invitation is completed. */
export const NameOfPerson = nullable(example(Type.String(), 'Jane Doe'));
/** A person's e-mail in answers. */
export const EmailOfPerson = example(Type.String(), EMAIL);
export const Email = Type.String({ format: 'email', maxLength: 254, examples: [EMAIL] });

/** A company (companies-2). */
export const Company = Type.Object({ id: id('cmp'), name: example(Type.String(), 'ACME Trading') });
export type Company = Of<typeof Company>;

export const Companies = pageOf(Company);
export type Companies = Of<typeof Companies>;

/** A name of people or companies: on one line, in the direction of its letters. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: NAME_PATTERN,
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
  expiresAt: Type.Optional(InvitationEnd),
});
export type InvitationState = Of<typeof InvitationState>;

/** The token of the examples. */
export const TOKEN = 'q3l9Zt0v6S2xWc8bNf4kHdR7yUeJmAoP1gTiVwXsYzE';

/** The token of an invitation, as its link has it. */
export const InvitationToken = Type.String({ minLength: 1, maxLength: 512 });

export const CompleteInvitation = closed({
  token: example(InvitationToken, TOKEN),
  password: Password,
  name: optional(example(Name, 'Jane Doe')),
});

/** A password of any length is checked as the current one. */
export const ChangePassword = closed({
  current: Type.String({ maxLength: 1024, examples: [PASSWORD] }),
  password: example(Password, 'eleven quiet green lamps'),
});

export const UserCreated = Type.Object({ userId: id('usr'), email: Email, role: Role });

/** A password of any length is checked. */
export const LogIn = closed({
  email: Type.String({ maxLength: 254, examples: [EMAIL] }),
  password: Type.String({ maxLength: 1024, examples: [PASSWORD] }),
  session: optional(meaning(SessionKind, '`token` for programs, `cookie` for pages of the service')),
});

export const LoggedIn = Type.Object({
  token: nullable(text('the session bearer token, once; null where the session is a cookie', `ast_${TOKEN}`)),
  csrfToken: nullable(
    text('to send as `X-CSRF-Token` with each change; null where the session is no cookie'),
  ),
  expiresAt: LogInEnd,
});
export type LoggedIn = Of<typeof LoggedIn>;

export const PermissionName = oneOf(permissionNames);

export const Me = Type.Object({
  userId: id('usr'),
  email: nullable(EmailOfPerson),
  name: NameOfPerson,
  role: Role,
  company: nullable(Company),
  permissions: Type.Array(PermissionName, { description: 'what the role permits' }),
  sessionId: id('lgn'),
  csrfToken: nullable(
    text('to send as `X-CSRF-Token` with each change; null where the session is no cookie'),
  ),
  expiresAt: meaning(LogInEnd, 'when the session ends at the latest'),
});
export type Me = Of<typeof Me>;

/** A person's sessions; `agent` is what the browser or program said that it is. */
export const OwnSession = Type.Object({
  sessionId: id('lgn'),
  kind: example(SessionKind, 'cookie'),
  agent: example(Type.String(), 'Firefox on Linux'),
  createdAt: Time,
  lastSeenAt: example(Time, times.decided),
  expiresAt: LogInEnd,
  current: Type.Boolean(),
});

export const OwnSessions = pageOf(OwnSession);
export type OwnSessions = Of<typeof OwnSessions>;

/** `definitionProblems` checks the draft. */
export const AgentRequest = closed({
  instruction: Type.String({
    minLength: 1,
    maxLength: 8000,
    examples: ['A receipt with company, date and total; review everything.'],
  }),
  draft: optional(anyObject('the workflow definition to revise')),
});

export const DraftedBy = oneOf(['model', 'rules']);

/** `draft` is a valid definition; `notes` are for its reader. */
export const AgentAnswer = Type.Object({
  draft: WorkflowDefinition,
  notes: Type.Array(example(Type.String(), 'Every submission goes to review, as asked.')),
  by: meaning(DraftedBy, 'whether a model made the draft, or the built-in rules'),
});
export type AgentAnswer = Of<typeof AgentAnswer>;

/** A draft without who made it. */
export type Draft = Pick<AgentAnswer, 'draft' | 'notes'>;

/** An `AgentRequest` that was checked: `draft` is a valid definition to revise. */
export type DraftRequest = Readonly<{ instruction: string; draft: WorkflowDefinition | null }>;

/** Drafts or revises a workflow definition, which is not published. */
export type DraftWorkflow = (request: DraftRequest) => Promise<AgentAnswer>;
