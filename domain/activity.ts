import type { EventOf } from '../kernel/event.ts';
import { type Mode, modes } from '../kernel/scope.ts';
import type { DomainEvent } from './aggregates.ts';

/** What an activity may be about. */
export const subjectKinds = [
  'submission',
  'redaction',
  'evaluation',
  'person',
  'invitation',
  'key',
  'endpoint',
  'workflow',
  'company',
] as const;

/** What an activity is about: its kind and its identifier, of a workflow its slug. */
export type ActivitySubject = Readonly<{ kind: (typeof subjectKinds)[number]; id: string }>;

const submission = ({ submissionId: id }: Readonly<{ submissionId: string }>) =>
  ({ kind: 'submission', id }) as const;
const redaction = ({ redactionId: id }: Readonly<{ redactionId: string }>) =>
  ({ kind: 'redaction', id }) as const;
const evaluation = ({ evaluationId: id }: Readonly<{ evaluationId: string }>) =>
  ({ kind: 'evaluation', id }) as const;
const person = ({ userId: id }: Readonly<{ userId: string }>) => ({ kind: 'person', id }) as const;
const invitation = ({ invitationId: id }: Readonly<{ invitationId: string }>) =>
  ({ kind: 'invitation', id }) as const;
const key = ({ keyId: id }: Readonly<{ keyId: string }>) => ({ kind: 'key', id }) as const;
const endpoint = ({ endpointId: id }: Readonly<{ endpointId: string }>) =>
  ({ kind: 'endpoint', id }) as const;
const workflow = ({ slug: id }: Readonly<{ slug: string }>) => ({ kind: 'workflow', id }) as const;
const company = ({ companyId: id }: Readonly<{ companyId: string }>) => ({ kind: 'company', id }) as const;

type Activities = {
  readonly [T in DomainEvent['type']]:
    | readonly [type: string, about: (data: EventOf<DomainEvent, T>['data']) => ActivitySubject]
    | null;
};

/** What each event is as an activity (activity-2): its name for ever, and what it is about; null: none. */
const activities = {
  UserLoggedIn: ['user.logged_in', person],
  UserLogInFailed: ['user.log_in_failed', person],
  UserLoggedOut: ['user.logged_out', person],
  UserInvited: ['user.invited', invitation],
  InvitationRevoked: ['invitation.revoked', invitation],
  InvitationRedacted: ['invitation.redacted', invitation],
  UserCreated: ['user.created', person],
  UserRoleChanged: ['user.role_changed', person],
  UserDisabled: ['user.disabled', person],
  UserEnabled: ['user.enabled', person],
  UserPasswordReset: ['user.password_reset', person],
  UserPasswordChosen: ['user.password_chosen', person],
  UserPasswordChanged: ['user.password_changed', person],
  UserRedacted: ['user.redacted', person],
  UserIdentityBound: ['user.identity_bound', person],
  ApiKeyCreated: ['key.created', key],
  ApiKeyRotated: ['key.rotated', key],
  ApiKeyRevoked: ['key.revoked', key],
  WebhookEndpointCreated: ['endpoint.created', endpoint],
  WebhookEndpointChanged: ['endpoint.changed', endpoint],
  WebhookEndpointSecretRotated: ['endpoint.secret_rotated', endpoint],
  WebhookEndpointDisabled: ['endpoint.disabled', endpoint],
  WebhookEndpointEnabled: ['endpoint.enabled', endpoint],
  WebhookEndpointDeleted: ['endpoint.deleted', endpoint],
  WorkflowPublished: ['workflow.published', workflow],
  WorkflowAssigned: ['workflow.assigned', workflow],
  WorkflowUnassigned: ['workflow.unassigned', workflow],
  CompanyCreated: ['company.created', company],
  CompanyLogInChanged: ['company.log_in_changed', company],
  CompanyRetentionChanged: ['company.retention_changed', company],
  CompanyWorkflowChanged: ['company.workflow_changed', workflow],
  SubmissionFirstDecisionMade: ['submission.first_decision_made', submission],
  SubmissionApproved: ['submission.approved', submission],
  SubmissionRejected: ['submission.rejected', submission],
  SubmissionCancelled: ['submission.cancelled', submission],
  SubmissionReprocessingRequested: ['submission.reprocessing_requested', submission],
  SubmissionOpenedForEntry: ['submission.opened_for_entry', submission],
  SubmissionNoteAdded: ['submission.note_added', submission],
  SubmissionAssigned: ['submission.assigned', submission],
  SubmissionPostponed: ['submission.postponed', submission],
  SubmissionSyncRequested: ['submission.sync_requested', submission],
  SubmissionFraudMatchResolved: ['submission.fraud_match_resolved', submission],
  SubmissionRedactionRequested: ['submission.redaction_requested', submission],
  SubmissionLegalHoldPlaced: ['submission.legal_hold_placed', submission],
  SubmissionLegalHoldLifted: ['submission.legal_hold_lifted', submission],
  SubjectRedactionRequested: ['redaction.requested', redaction],
  EvaluationRequested: ['evaluation.requested', evaluation],
  EvaluationPaused: ['evaluation.paused', evaluation],
  EvaluationResumed: ['evaluation.resumed', evaluation],
  EvaluationCancelled: ['evaluation.cancelled', evaluation],
  EvidenceExported: ['evidence.exported', submission],
  // The work of integrations and of the service.
  BatchCompleted: null,
  EvaluationCompleted: null,
  EvaluationExtended: null,
  EvaluationProgressed: null,
  InvitationAccepted: null,
  InvitationMailFailed: null,
  InvitationMailed: null,
  SessionCreated: null,
  SessionExpired: null,
  SessionSubmitted: null,
  SubjectRedactionAdvanced: null,
  SubmissionFingerprinted: null,
  SubmissionFraudChecked: null,
  SubmissionProcessed: null,
  SubmissionProcessingDelayed: null,
  SubmissionProcessingFailed: null,
  SubmissionProcessingStarted: null,
  SubmissionRedacted: null,
  SubmissionResultDropped: null,
  SubmissionResumed: null,
  SubmissionSyncFailed: null,
  SubmissionSynced: null,
  UserEmailClaimed: null,
  UserEmailReleased: null,
  WebhookAttempted: null,
  WebhookDelivered: null,
  WebhookEndpointNoticeFailed: null,
  WebhookEndpointNoticeMailed: null,
  WebhookFailed: null,
  WebhookRedacted: null,
  WebhookRedeliveryRequested: null,
  WebhookRequested: null,
} as const satisfies Activities;

type Recorded = {
  [T in keyof typeof activities]: (typeof activities)[T] extends null ? never : T;
}[keyof typeof activities];
export type ActivityEvent = EventOf<DomainEvent, Recorded>;
export type ActivityType = (typeof activities)[Recorded][0];

/** The types of events that are an activity. */
export const activityEvents = Object.entries(activities).flatMap(([type, activity]) =>
  activity === null ? [] : [type as Recorded],
);

/** The types of activities. */
export const activityTypes: readonly ActivityType[] = activityEvents.map((event) => activities[event][0]);

/** What an event is as an activity. */
export const activityOf = (event: ActivityEvent) => {
  const [type, about]: readonly [ActivityType, { of(data: object): ActivitySubject }['of']] =
    activities[event.type];
  return { type, subject: about(event.data) };
};

/** The companies whose activity an event is; none where it is of the platform alone. */
export const companiesOf = (event: ActivityEvent): readonly string[] => {
  if (event.type === 'WorkflowPublished') return event.data.companies ?? [];
  const { companyId = null } = event.data;
  // Whoever becomes a super_admin leaves a company.
  const found = event.type === 'UserRoleChanged' ? (companyId ?? event.data.from.companyId) : companyId;
  return found === null ? [] : [found];
};

/** The modes in which it is seen: what belongs to no mode is part of both. */
export const modesOf = ({ data }: ActivityEvent): readonly Mode[] => ('mode' in data ? [data.mode] : modes);
