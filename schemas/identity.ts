import {
  anyObject,
  closed,
  id,
  nullable,
  type Of,
  oneOf,
  optional,
  pageOf,
  Time,
  Type,
} from '../kernel/schema.ts';
import { roles } from '../kernel/scope.ts';
import { WorkflowDefinition } from './workflowDefinition.ts';

const Role = oneOf(roles);
const Password = Type.String({ minLength: 8, maxLength: 256 });
const Email = Type.String({ format: 'email', maxLength: 254 });

/** A company (companies-2). */
export const Company = Type.Object({ id: id('cmp'), name: Type.String() });

export const Companies = pageOf(Company);

/** Always a 200 (invitations-2); the optional members belong to a valid invitation. */
export const InvitationState = Type.Object({
  valid: Type.Boolean(),
  reason: nullable(oneOf(['invalid', 'consumed', 'expired'])),
  email: Type.Optional(Email),
  role: Type.Optional(Role),
  company: Type.Optional(nullable(Company)),
  expiresAt: Type.Optional(Time),
});
export type InvitationState = Of<typeof InvitationState>;

export const CompleteInvitation = closed({
  token: Type.String({ minLength: 1, maxLength: 512 }),
  password: Password,
  name: optional(Type.String({ minLength: 1, maxLength: 128 })),
});

export const UserCreated = Type.Object({ userId: id('usr'), email: Email, role: Role });

/** A password of any length is checked. */
export const LogIn = closed({
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 1024 }),
});

export const LoggedIn = Type.Object({ token: Type.String(), expiresAt: Time });

/** `definitionProblems` checks the draft. */
export const AgentRequest = closed({
  instruction: Type.String({ minLength: 1, maxLength: 8000 }),
  draft: optional(anyObject('the workflow definition to revise')),
});

/** `draft` is a valid definition; `notes` are for its reader. */
export const AgentAnswer = Type.Object({ draft: WorkflowDefinition, notes: Type.Array(Type.String()) });
export type AgentAnswer = Of<typeof AgentAnswer>;

/** An `AgentRequest` that was checked: `draft` is a valid definition to revise. */
export type DraftRequest = Readonly<{ instruction: string; draft: WorkflowDefinition | null }>;

/** Drafts or revises a workflow definition, which is not published. */
export type DraftWorkflow = (request: DraftRequest) => Promise<AgentAnswer>;
