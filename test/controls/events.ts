import type { DomainEvent } from '../../domain/aggregates.ts';
import { apiKeyStream } from '../../domain/apiKey.ts';
import { batchStream } from '../../domain/batch.ts';
import { companyStream } from '../../domain/company.ts';
import { type EvaluationEvent, evaluationStream } from '../../domain/evaluation/evaluation.ts';
import { evidenceExportStream } from '../../domain/evidenceExport.ts';
import { type InvitationEvent, invitationStream } from '../../domain/invitation.ts';
import { type LogInEvent, logInStream } from '../../domain/logIn.ts';
import { usualQuality } from '../../domain/pictureQuality.ts';
import { type SubjectRedactionEvent, subjectRedactionStream } from '../../domain/subjectRedaction.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import { type UserEvent, userStream } from '../../domain/user.ts';
import { type UserEmailEvent, userEmailStream } from '../../domain/userEmail.ts';
import { webhookDeliveryStream } from '../../domain/webhookDelivery.ts';
import { deliveryIdOf, type WebhookDeliveryEvent } from '../../domain/webhookDeliveryEvents.ts';
import { webhookEndpointStream } from '../../domain/webhookEndpoint.ts';
import { workflowStream } from '../../domain/workflow.ts';
import { noWorkflowSettings } from '../../domain/workflowSettings.ts';
import type { Recorded } from '../../kernel/event.ts';
import * as example from './submission.ts';
import { definition, itemsField } from './workflow.ts';

const itemRow = { description: 'Bolts', quantity: 2, unitPrice: null, amount: 9.5 };
const itemCell = { confidence: 0.9, text: '9.50', box: { left: 500, top: 80, right: 545, bottom: 90 } };
const itemRead = {
  place: {
    ...{ fileId: 'fil_01hv6x3m8q2r5t7w9y0a1b2c3d', page: 1, size: { width: 595, height: 842 } },
    box: { left: 50, top: 80, right: 545, bottom: 90 },
  },
  cells: { amount: itemCell },
};

type Examples = Readonly<{ [T in DomainEvent['type']]: Extract<DomainEvent, { type: T }> }>;

const { routing, match, policy } = example;
const { companyId, keyId, mode } = routing;
const { resolution: _r, resolvedBy: _b, resolvedAt: _a, details, ...found } = match;
const workflowId = 'wf_01hv6x3m8q2r5t7w9y0a1b2c3d';
const assignment = { workflowId, slug: 'receipt', companyId };

const invitationId = 'inv_01hv6x3m8q2r5t7w9y0a1b2c3d';
const userId = 'usr_01hv6x3m8q2r5t7w9y0a1b2c3d';
const basis = { reason: 'erasure', legalBasis: 'erasure_request', requestedBy: 'ticket 1' } as const;
const sessionId = 'lgn_01hv6x3m8q2r5t7w9y0a1b2c3d';
/** The name of an e-mail in the log. */
export const emailId = 'e'.repeat(64);

/** The identifier of a batch. */
export const batchId = 'b'.repeat(64);

/** What a delivery's events carry. */
export const deliveryFacts = {
  ...routing,
  eventId: '018ff3c2-0000-7000-8000-000000000001',
  eventType: 'session.completed',
  occurredAt: '2026-11-21T10:00:00.000Z',
} as const;

/** What the events of a batch's delivery carry. */
export const batchDeliveryFacts = {
  ...deliveryFacts,
  submissionId: null,
  workflow: null,
  batchId,
  eventType: 'batch.completed',
} as const;

const subjectScope = { redactionId: 'red_01hv6x3m8q2r5t7w9y0a1b2c3d', companyId, mode } as const;

const evaluated = { evaluationId: 'evl_01hv6x3m8q2r5t7w9y0a1b2c3d', companyId, mode } as const;
const side = { confidence: 0.9, reasons: [], fields: [] };

const endpoint = { endpointId: 'whe_01hv6x3m8q2r5t7w9y0a1b2c3d', companyId, mode } as const;

const noticeId = '01hv6x3m8q2r5t7w9y0a1b2c3d';

/**
 * One event of each type, in an order in which they could happen; a type that is missing here does not
 * compile.
 */
export const examples: Examples = {
  CompanyCreated: { type: 'CompanyCreated', data: { companyId, name: 'ACME' } },
  CompanyLogInChanged: {
    type: 'CompanyLogInChanged',
    data: { companyId, roleMap: { claim: 'groups', roles: { 'intake-reviewers': 'reviewer' } } },
  },
  CompanyRetentionChanged: {
    type: 'CompanyRetentionChanged',
    data: {
      companyId,
      retention: {
        ...{ submissionDays: 365, sessionDays: 7, workflows: { receipt: 30 } },
        ...{ perDay: 500, isEnforced: true },
      },
    },
  },
  CompanyWorkflowChanged: {
    type: 'CompanyWorkflowChanged',
    data: {
      ...{ companyId, slug: definition.slug },
      settings: {
        ...{ labels: { total: 'Amount due' }, reviewBelow: 0.9, fieldsBelow: { total: 0.95 } },
        review: 'always',
      },
    },
  },
  WorkflowPublished: { type: 'WorkflowPublished', data: { ...definition, workflowId, version: 1 } },
  WorkflowAssigned: { type: 'WorkflowAssigned', data: assignment },
  WorkflowUnassigned: { type: 'WorkflowUnassigned', data: assignment },
  ApiKeyCreated: {
    type: 'ApiKeyCreated',
    data: { keyId, companyId, mode, name: 'server', createdBy: 'operator' },
  },
  ApiKeyRevoked: { type: 'ApiKeyRevoked', data: { keyId, companyId, mode } },
  ApiKeyRotated: {
    type: 'ApiKeyRotated',
    data: {
      ...{ keyId, companyId, mode, newKeyId: 'key_01hv6x3m8q2r5t7w9y0a1b2c3e' },
      expiresAt: '2026-11-22T10:00:00.000Z',
    },
  },
  UserInvited: {
    type: 'UserInvited',
    data: {
      ...{ invitationId, role: 'org_admin', companyId, userId: null },
      expiresAt: '2026-11-24T10:00:00.000Z',
      private: { email: 'Ann@example.com' },
    },
  },
  InvitationAccepted: {
    type: 'InvitationAccepted',
    data: { invitationId, userId, offerId: '01hv6x3m8q2r5t7w9y0a1b2c3e', private: { name: 'Ann' } },
  },
  InvitationRevoked: { type: 'InvitationRevoked', data: { invitationId } },
  InvitationRedacted: { type: 'InvitationRedacted', data: { invitationId, companyId, ...basis } },
  InvitationMailed: { type: 'InvitationMailed', data: { invitationId, attempt: 1 } },
  InvitationMailFailed: {
    type: 'InvitationMailFailed',
    data: {
      ...{ invitationId, attempt: 1, error: 'the mail server answered 451 (4.7.1) to the recipient' },
      nextAttemptAt: '2026-11-21T10:00:30.000Z',
    },
  },
  UserEmailClaimed: { type: 'UserEmailClaimed', data: { userId } },
  UserEmailReleased: { type: 'UserEmailReleased', data: { userId } },
  UserCreated: {
    type: 'UserCreated',
    data: {
      ...{ userId, role: 'org_admin', companyId, invitationId },
      private: { email: 'Ann@example.com', name: 'Ann' },
    },
  },
  UserDisabled: { type: 'UserDisabled', data: { userId } },
  UserEnabled: { type: 'UserEnabled', data: { userId } },
  UserRoleChanged: {
    type: 'UserRoleChanged',
    data: {
      ...{ userId, role: 'auditor', companyId, from: { role: 'org_admin', companyId } },
      by: 'administrator',
    },
  },
  UserPasswordReset: {
    type: 'UserPasswordReset',
    data: { userId, invitationId: 'inv_01hv6x3m8q2r5t7w9y0a1b2c3f', enabled: true },
  },
  UserPasswordChosen: {
    type: 'UserPasswordChosen',
    data: { userId, invitationId: 'inv_01hv6x3m8q2r5t7w9y0a1b2c3f' },
  },
  UserPasswordChanged: { type: 'UserPasswordChanged', data: { userId } },
  UserRedacted: {
    type: 'UserRedacted',
    data: { userId, companyId, ...basis, emailId: 'b'.repeat(64), invitationIds: [invitationId] },
  },
  UserIdentityBound: {
    type: 'UserIdentityBound',
    data: { userId, issuer: 'https://login.example.com', subjectId: 'a'.repeat(64) },
  },
  UserLoggedIn: {
    type: 'UserLoggedIn',
    data: {
      ...{ sessionId, userId, companyId, method: 'password' },
      expiresAt: '2026-11-21T22:00:00.000Z',
      private: { address: '192.0.2.1' },
    },
  },
  UserLogInFailed: {
    type: 'UserLogInFailed',
    data: {
      ...{ sessionId, userId, companyId, method: 'password', reason: 'password' },
      private: { address: '192.0.2.1' },
    },
  },
  UserLoggedOut: { type: 'UserLoggedOut', data: { sessionId, userId, companyId } },
  SessionCreated: example.created,
  SessionSubmitted: example.submitted as Examples['SessionSubmitted'],
  SubmissionProcessingStarted: example.started as Examples['SubmissionProcessingStarted'],
  SubmissionProcessingDelayed: {
    type: 'SubmissionProcessingDelayed',
    data: {
      ...routing,
      round: 1,
      attempt: 1,
      retryAt: '2026-11-21T10:05:00.000Z',
      private: { reason: 'The store was away.' },
    },
  },
  SubmissionProcessingFailed: example.failed('failed') as Examples['SubmissionProcessingFailed'],
  SubmissionReprocessingRequested: {
    type: 'SubmissionReprocessingRequested',
    data: { ...routing, from: 'failed', to: 'processing', firstProcessed: false, processed: true, round: 2 },
  },
  SubmissionOpenedForEntry: {
    type: 'SubmissionOpenedForEntry',
    data: {
      ...routing,
      ...{ from: 'failed', to: 'review', firstProcessed: false, processed: true, round: 2 },
      fields: ['company', 'total', 'note'],
      reviewReasons: [
        { code: 'missing_required', field: 'company' },
        { code: 'missing_required', field: 'total' },
      ],
      private: { reason: 'The paper is torn, and can be read by eye.', actor: null },
    },
  },
  SubmissionFingerprinted: example.fingerprinted as Examples['SubmissionFingerprinted'],
  SubmissionFraudChecked: {
    type: 'SubmissionFraudChecked',
    data: {
      ...routing,
      round: 1,
      matches: [found],
      policy,
      fraudStatus: 'blocked',
      fraudScore: 1,
      private: { details: { [found.id]: details } },
    },
  },
  SubmissionProcessed: example.processed('review') as Examples['SubmissionProcessed'],
  SubmissionFraudMatchResolved: {
    type: 'SubmissionFraudMatchResolved',
    data: {
      ...routing,
      matchId: match.id,
      resolution: 'dismissed',
      resolvedAt: '2026-11-21T11:00:00.000Z',
      fraudStatus: 'clean',
      fraudScore: 0,
      private: { resolvedBy: 'ann', comment: 'seen' },
    },
  },
  SubmissionFirstDecisionMade: example.firstDecision('approved') as Examples['SubmissionFirstDecisionMade'],
  SubmissionApproved: {
    type: 'SubmissionApproved',
    data: {
      ...routing,
      from: 'review',
      to: 'approved',
      firstProcessed: false,
      processed: true,
      private: {
        comment: 'fine',
        actor: 'ann',
        corrections: [{ field: 'company', machineValue: null, humanValue: 'ACME' }],
      },
    },
  },
  SubmissionSynced: example.synced as Examples['SubmissionSynced'],
  SubmissionSyncFailed: {
    type: 'SubmissionSyncFailed',
    data: {
      ...routing,
      attempt: 1,
      statusCode: 503,
      durationMs: 12,
      error: 'answered 503',
      nextAttemptAt: '2026-11-21T10:00:30.000Z',
    },
  },
  SubmissionSyncRequested: {
    type: 'SubmissionSyncRequested',
    data: { ...routing, syncTo: 'https://erp.example.com', attempts: 28 },
  },
  SubjectRedactionRequested: {
    type: 'SubjectRedactionRequested',
    data: { ...subjectScope, ...basis, subject: '5f'.repeat(32), submissionIds: [routing.submissionId] },
  },
  SubjectRedactionAdvanced: {
    type: 'SubjectRedactionAdvanced',
    data: { ...subjectScope, others: 0, held: [], failed: [], left: 0 },
  },
  EvaluationRequested: {
    type: 'EvaluationRequested',
    data: {
      ...evaluated,
      ...{ slug: 'receipt', version: null, definition, settings: noWorkflowSettings },
      set: { createdAfter: null, createdBefore: null, approvedBy: 'anybody', size: 300, seed: 1 },
      ...{ found: 1, redacted: 0, submissionIds: [routing.submissionId] },
    },
  },
  EvaluationProgressed: {
    type: 'EvaluationProgressed',
    data: {
      ...evaluated,
      comparisons: [
        {
          ...{ submissionId: routing.submissionId, version: 3, isChecked: true, before: side },
          after: {
            ...side,
            fields: [{ name: 'total', verdict: 'exact', isFound: true, confidence: 0.9 }],
          },
          changed: ['total'],
        },
      ],
      ...{ omitted: [], left: 0 },
    },
  },
  EvaluationExtended: {
    type: 'EvaluationExtended',
    data: { ...evaluated, submissionIds: [routing.submissionId] },
  },
  EvaluationPaused: { type: 'EvaluationPaused', data: evaluated },
  EvaluationResumed: { type: 'EvaluationResumed', data: evaluated },
  EvaluationCancelled: { type: 'EvaluationCancelled', data: evaluated },
  EvaluationCompleted: { type: 'EvaluationCompleted', data: evaluated },
  EvidenceExported: { type: 'EvidenceExported', data: { ...routing, key: '0123456789abcdef' } },
  SubmissionRejected: example.rejected as Examples['SubmissionRejected'],
  SessionExpired: example.expired as Examples['SessionExpired'],
  SubmissionCancelled: example.cancelled('created') as Examples['SubmissionCancelled'],
  SubmissionResultDropped: {
    type: 'SubmissionResultDropped',
    data: { ...routing, round: 1, attempt: 1, outcome: 'extracted' },
  },
  SubmissionLegalHoldPlaced: {
    type: 'SubmissionLegalHoldPlaced',
    data: {
      ...routing,
      by: { kind: 'key', id: keyId },
      placedAt: '2026-11-21T11:10:00.000Z',
      private: { reason: 'proceedings' },
    },
  },
  SubmissionLegalHoldLifted: { type: 'SubmissionLegalHoldLifted', data: routing },
  SubmissionNoteAdded: {
    type: 'SubmissionNoteAdded',
    data: { ...routing, private: { text: 'the branch sends the second page' } },
  },
  SubmissionAssigned: { type: 'SubmissionAssigned', data: { ...routing, assignee: userId } },
  SubmissionPostponed: {
    type: 'SubmissionPostponed',
    data: { ...routing, until: '2026-11-23T08:00:00.000Z', private: { reason: 'the branch is closed' } },
  },
  SubmissionResumed: { type: 'SubmissionResumed', data: routing },
  SubmissionRedactionRequested: {
    type: 'SubmissionRedactionRequested',
    data: { ...routing, ...basis },
  },
  SubmissionRedacted: { type: 'SubmissionRedacted', data: { ...routing, objects: 2, deliveries: 1 } },
  WebhookEndpointCreated: {
    type: 'WebhookEndpointCreated',
    data: {
      ...{ ...endpoint, eventTypes: ['session.completed'], retrySchedule: 'standard' },
      private: { url: 'https://example.com/hooks', description: 'ERP' },
    },
  },
  WebhookEndpointChanged: {
    type: 'WebhookEndpointChanged',
    data: {
      ...{ ...endpoint, eventTypes: null, retrySchedule: 'extended' },
      private: { url: 'https://example.com/hooks/2', description: null },
    },
  },
  WebhookEndpointSecretRotated: {
    type: 'WebhookEndpointSecretRotated',
    data: { ...endpoint, overlapEndsAt: '2026-11-22T10:00:00.000Z' },
  },
  WebhookEndpointDisabled: {
    type: 'WebhookEndpointDisabled',
    data: { ...endpoint, reason: 'failures', failingSince: '2026-11-16T10:00:00.000Z' },
  },
  WebhookEndpointEnabled: { type: 'WebhookEndpointEnabled', data: endpoint },
  WebhookEndpointNoticeFailed: {
    type: 'WebhookEndpointNoticeFailed',
    data: {
      ...{ ...endpoint, noticeId, userId, attempt: 1 },
      ...{ error: 'the mail server did not answer in time', nextAttemptAt: '2026-11-21T10:00:30.000Z' },
    },
  },
  WebhookEndpointNoticeMailed: {
    type: 'WebhookEndpointNoticeMailed',
    data: { ...endpoint, noticeId, userId, attempt: 2 },
  },
  WebhookEndpointDeleted: { type: 'WebhookEndpointDeleted', data: endpoint },
  WebhookRequested: {
    type: 'WebhookRequested',
    data: {
      ...deliveryFacts,
      private: { url: 'https://example.com/hook', body: '{"eventId":"x"}' },
    },
  },
  WebhookAttempted: {
    type: 'WebhookAttempted',
    data: {
      ...deliveryFacts,
      attempt: 1,
      statusCode: 500,
      durationMs: 12,
      error: 'answered 500',
      nextAttemptAt: '2026-11-21T10:00:30.000Z',
    },
  },
  WebhookDelivered: { type: 'WebhookDelivered', data: { ...deliveryFacts, attempts: 2 } },
  WebhookFailed: { type: 'WebhookFailed', data: { ...deliveryFacts, attempts: 4 } },
  WebhookRedacted: {
    type: 'WebhookRedacted',
    data: { ...deliveryFacts, attempts: 4, outcome: 'delivered' },
  },
  BatchCompleted: {
    type: 'BatchCompleted',
    data: {
      batchId,
      companyId,
      mode,
      submissionId: routing.submissionId,
      keyId,
      notifies: true,
      counts: { total: 3, processed: 3, review: 1, failed: 1, approved: 1 },
      createdAt: '2026-11-21T10:00:00.000Z',
      completedAt: '2026-11-21T10:10:00.000Z',
      private: { batchRef: 'autumn-2026', webhookUrl: 'https://example.com/hook' },
    },
  },
  WebhookRedeliveryRequested: {
    type: 'WebhookRedeliveryRequested',
    data: { ...deliveryFacts, attempts: 4, private: { url: 'https://example.com/hook' } },
  },
};

const syncTo = 'https://erp.example.com';
const readBy = 'https://reader.example.com';

const print = {
  ...{ fileId: 'fil_01hv6x3m8q2r5t7w9y0a1b2c3d', label: 'front', page: 1, width: 8, height: 4 },
  ...{ strokes: 'Y2BgYAAA', words: [{ text: '12/03/2018', confidence: 0.96 }] },
};

/** A delivery's event, of one that goes to an endpoint. */
const ofEndpoint = (type: WebhookDeliveryEvent['type']): WebhookDeliveryEvent =>
  ({
    ...examples[type],
    data: { ...examples[type].data, endpointId: endpoint.endpointId },
  }) as WebhookDeliveryEvent;

type Placed = Extract<UserEvent | InvitationEvent, { data: { companyId?: string | null } }>['type'];

/** The example of an event that says whose company it is about, as all have done for some time. */
export const ofCompany = <T extends Placed>(type: T): (typeof examples)[T] =>
  ({ ...examples[type], data: { ...examples[type].data, companyId } }) as (typeof examples)[T];

/** The same, of one for which nothing could be sent. */
const notSent = (type: 'WebhookAttempted' | 'WebhookFailed'): WebhookDeliveryEvent =>
  ({ ...examples[type], data: { ...ofEndpoint(type).data, notSent: true } }) as WebhookDeliveryEvent;

/** Events with members that came to their version later and may lack, by their names and what these tell. */
const place = {
  ...{ fileId: 'fil_01hv6x3m8q2r5t7w9y0a1b2c3d', page: 2, size: { width: 612, height: 792 } },
  box: { left: 72, top: 96.25, right: 180, bottom: 108 },
};

export const variants: Readonly<Record<string, DomainEvent>> = {
  'WebhookAttempted.notSent': notSent('WebhookAttempted'),
  'WebhookAttempted.heard': {
    ...examples.WebhookAttempted,
    data: {
      ...examples.WebhookAttempted.data,
      private: { receiver: 'example.com/hook', answer: 'Internal Server Error' },
    },
  },
  'WebhookFailed.notSent': notSent('WebhookFailed'),
  'SubmissionRedactionRequested.whole': {
    ...examples.SubmissionRedactionRequested,
    data: {
      ...examples.SubmissionRedactionRequested.data,
      redactionId: 'red_01hv6x3m8q2r5t7w9y0a1b2c3d',
      fingerprints: ['5f'.repeat(32), 'd'.repeat(64)],
      private: { webhookUrl: 'https://example.com/hook' },
    },
  },
  'SubmissionRedacted.redactionId': {
    ...examples.SubmissionRedacted,
    data: { ...examples.SubmissionRedacted.data, redactionId: 'red_01hv6x3m8q2r5t7w9y0a1b2c3d' },
  },
  'UserInvited.byMail': {
    ...examples.UserInvited,
    data: { ...examples.UserInvited.data, byMail: true },
  },
  'WorkflowPublished.quality': {
    ...examples.WorkflowPublished,
    data: {
      ...examples.WorkflowPublished.data,
      processing: { ...examples.WorkflowPublished.data.processing, quality: usualQuality },
    },
  },
  'EvaluationRequested.shadow': {
    ...examples.EvaluationRequested,
    data: { ...examples.EvaluationRequested.data, shadow: { share: 0.1 } },
  },
  'EvaluationResumed.left': {
    ...examples.EvaluationResumed,
    data: { ...examples.EvaluationResumed.data, left: 12 },
  },
  'WorkflowPublished.gate': {
    ...examples.WorkflowPublished,
    data: {
      ...examples.WorkflowPublished.data,
      processing: {
        ...examples.WorkflowPublished.data.processing,
        gate: { set: { size: 300, approvedBy: 'person' }, maxWrong: 0.02 },
      },
      passage: {
        ...{ evaluationId: 'evl_01hv6x3m8q2r5t7w9y0a1b2c3d', documents: 300, approved: 230, wrong: 5 },
        ...{ maxWrong: 0.02, forcedBecause: 'the old labels are wrong' },
      },
    },
  },
  'SessionCreated.sending': {
    ...examples.SessionCreated,
    data: {
      ...examples.SessionCreated.data,
      slots: [
        {
          ...{ fileId: 'fil_large', fileIndex: 0, label: 'front', mimeType: 'application/pdf' },
          ...{ fileSize: 209_715_200, sha256: null, parts: { size: 16_777_216, sha256: null } },
        },
        {
          ...{ fileId: 'fil_form', fileIndex: 1, label: 'back', mimeType: null, fileSize: null },
          ...{ sha256: null, form: true },
        },
      ],
    },
  },
  'SessionCreated.list': {
    ...examples.SessionCreated,
    data: {
      ...examples.SessionCreated.data,
      workflow: {
        ...examples.SessionCreated.data.workflow,
        list: [
          { name: 'company', type: 'string' },
          { name: 'total', type: 'number' },
        ],
      },
    },
  },
  'SubmissionProcessed.syncTo': {
    ...examples.SubmissionProcessed,
    data: {
      ...examples.SubmissionProcessed.data,
      from: 'processing',
      to: 'approved',
      reviewReasons: [],
      syncTo,
    },
  },
  'SubmissionProcessed.place': {
    ...examples.SubmissionProcessed,
    data: {
      ...examples.SubmissionProcessed.data,
      reviewReasons: [
        { code: 'unread_page', field: null, place: { fileId: 'fil_01hv6x3m8q2r5t7w9y0a1b2c3d', page: 2 } },
      ],
    },
  },
  'SubmissionFraudMatchResolved.previousResolution': {
    ...examples.SubmissionFraudMatchResolved,
    data: { ...examples.SubmissionFraudMatchResolved.data, previousResolution: 'confirmed' },
  },
  'WorkflowPublished.fourEyes': {
    ...examples.WorkflowPublished,
    data: {
      ...examples.WorkflowPublished.data,
      processing: { ...examples.WorkflowPublished.data.processing, fourEyes: ['approved'] },
    },
  },
  'WorkflowPublished.columns': {
    ...examples.WorkflowPublished,
    data: {
      ...examples.WorkflowPublished.data,
      outputSchema: [...examples.WorkflowPublished.data.outputSchema, itemsField],
    },
  },
  'SubmissionProcessed.rows': {
    ...examples.SubmissionProcessed,
    data: {
      ...examples.SubmissionProcessed.data,
      private: {
        ...{ extractedData: { items: [itemRow] } },
        ...{ fieldConfidences: { items: 0.9 }, aiSummary: 'Items (1 row); 1 of 1 fields found.' },
        result: {
          fields: { items: { value: [itemRow], confidence: 0.9, text: null, place: null, rows: [itemRead] } },
          ...{ pages: 1, files: [] },
        },
      },
    },
  },
  'WorkflowPublished.list': {
    ...examples.WorkflowPublished,
    data: { ...examples.WorkflowPublished.data, list: ['company', 'total'] },
  },
  'SubmissionFirstDecisionMade.withdraws': {
    ...examples.SubmissionFirstDecisionMade,
    data: { ...examples.SubmissionFirstDecisionMade.data, withdraws: 'rejected' },
  },
  'SubmissionFirstDecisionMade.keyCreatedBy': {
    ...examples.SubmissionFirstDecisionMade,
    data: { ...examples.SubmissionFirstDecisionMade.data, keyCreatedBy: userId },
  },
  'SubmissionFirstDecisionMade.keyMadeBefore': {
    ...examples.SubmissionFirstDecisionMade,
    data: { ...examples.SubmissionFirstDecisionMade.data, keyMadeBefore: [userId] },
  },
  'ApiKeyCreated.madeBefore': {
    ...examples.ApiKeyCreated,
    data: { ...examples.ApiKeyCreated.data, madeBefore: [userId] },
  },
  'SubmissionApproved.secondEye': {
    ...examples.SubmissionApproved,
    data: { ...examples.SubmissionApproved.data, secondEye: 'invited' },
  },
  'SubmissionRejected.secondEye': {
    ...examples.SubmissionRejected,
    data: { ...examples.SubmissionRejected.data, secondEye: 'reset' },
  },
  'SubmissionApproved.syncTo': {
    ...examples.SubmissionApproved,
    data: { ...examples.SubmissionApproved.data, syncTo },
  },
  'SubmissionApproved.place': {
    ...examples.SubmissionApproved,
    data: {
      ...examples.SubmissionApproved.data,
      private: {
        ...{ comment: null, actor: null },
        corrections: [{ field: 'company', machineValue: null, humanValue: 'ACME', place }],
      },
    },
  },
  'SubmissionFirstDecisionMade.place': {
    ...examples.SubmissionFirstDecisionMade,
    data: {
      ...examples.SubmissionFirstDecisionMade.data,
      private: {
        ...{ comment: null, reason: null, actor: null },
        corrections: [{ field: 'company', machineValue: null, humanValue: 'ACME', place }],
      },
    },
  },
  'SubmissionApproved.missing': {
    ...examples.SubmissionApproved,
    data: { ...examples.SubmissionApproved.data, missing: ['total'] },
  },
  'SessionSubmitted.forced': {
    ...examples.SessionSubmitted,
    data: {
      ...examples.SessionSubmitted.data,
      mode: 'test',
      forced: { outcome: 'review', fraud: 'flagged' },
    },
  },
  'SubmissionFingerprinted.private': {
    ...examples.SubmissionFingerprinted,
    data: {
      ...examples.SubmissionFingerprinted.data,
      fingerprints: [{ checkType: 'near_duplicate_image', value: 'e'.repeat(32), files: [] }],
      private: { prints: [print] },
    },
  },
  'SubmissionFraudChecked.answers': {
    ...examples.SubmissionFraudChecked,
    data: {
      ...examples.SubmissionFraudChecked.data,
      policy: { ...examples.SubmissionFraudChecked.data.policy, answers: { duplicate_file: 'flag' } },
    },
  },
  'WorkflowPublished.policy': {
    ...examples.WorkflowPublished,
    data: {
      ...examples.WorkflowPublished.data,
      processing: {
        ...examples.WorkflowPublished.data.processing,
        fraud: {
          ...examples.WorkflowPublished.data.processing.fraud,
          checks: ['duplicate_file'],
          policy: { duplicate_file: 'allow' },
        },
      },
    },
  },
  ...Object.fromEntries(
    (
      [
        ...['UserDisabled', 'UserEnabled', 'UserPasswordReset', 'UserPasswordChosen'],
        ...['UserPasswordChanged', 'UserIdentityBound', 'InvitationRevoked'],
      ] as const
    ).map((type) => [`${type}.companyId`, ofCompany(type)]),
  ),
  'WorkflowPublished.companies': {
    ...examples.WorkflowPublished,
    data: { ...examples.WorkflowPublished.data, companies: [companyId] },
  },
  ...Object.fromEntries(
    (
      [
        'WebhookRequested',
        'WebhookAttempted',
        'WebhookDelivered',
        'WebhookFailed',
        'WebhookRedeliveryRequested',
      ] as const
    ).map((type) => [`${type}.endpointId`, ofEndpoint(type)]),
  ),
  'WebhookEndpointDisabled.notice': {
    ...examples.WebhookEndpointDisabled,
    data: { ...examples.WebhookEndpointDisabled.data, notice: { noticeId, recipients: [userId] } },
  },
  'SessionSubmitted.readBy': {
    ...examples.SessionSubmitted,
    data: { ...examples.SessionSubmitted.data, readBy },
  },
  'SubmissionProcessingDelayed.waitsFor': {
    ...examples.SubmissionProcessingDelayed,
    data: {
      ...examples.SubmissionProcessingDelayed.data,
      waitsFor: 'extractor',
      private: { reason: 'The extractor gave no result: answered 503.' },
    },
  },
  'SubmissionReprocessingRequested.readBy': {
    ...examples.SubmissionReprocessingRequested,
    data: { ...examples.SubmissionReprocessingRequested.data, readBy },
  },
  'SubmissionReprocessingRequested.reason': {
    ...examples.SubmissionReprocessingRequested,
    data: {
      ...examples.SubmissionReprocessingRequested.data,
      private: { reason: 'The reader was mended.', actor: 'ann' },
    },
  },
  'SubmissionProcessingFailed.fingerprints': {
    ...examples.SubmissionProcessingFailed,
    data: { ...examples.SubmissionProcessingFailed.data, fingerprints: ['5f'.repeat(32), 'd'.repeat(64)] },
  },
  'SubmissionCancelled.fingerprints': {
    ...examples.SubmissionCancelled,
    data: { ...examples.SubmissionCancelled.data, fingerprints: ['5f'.repeat(32), 'd'.repeat(64)] },
  },
  'WebhookRedacted.endpointId': ofEndpoint('WebhookRedacted'),
  /** It differs in its metadata alone, which `logged` gives none: see test/golden. */
  'SessionSubmitted.traced': examples.SessionSubmitted,
};

/** The stream that an event stands in. */
export const streamOf = (event: DomainEvent): string => {
  if (isOfEmail(event)) return userEmailStream(emailId);
  if (event.type === 'EvidenceExported') return evidenceExportStream(event.data.submissionId);
  if (isOfLogIn(event)) return logInStream(event.data.sessionId);
  if (isOfUser(event)) return userStream(event.data.userId);
  const { data } = event;
  if (isOfSubject(event)) return subjectRedactionStream(event.data.redactionId);
  if (isOfEvaluation(event)) return evaluationStream(event.data.evaluationId);
  if ('invitationId' in data) return invitationStream(data.invitationId);
  if ('eventId' in data) return webhookDeliveryStream(deliveryIdOf(data));
  if ('endpointId' in data) return webhookEndpointStream(data.endpointId);
  if ('counts' in data) return batchStream(data.batchId);
  if ('submissionId' in data) return submissionStream(data.submissionId);
  if ('slug' in data && 'workflowId' in data) return workflowStream(data.slug);
  if ('keyId' in data) return apiKeyStream(data.keyId);
  return companyStream(data.companyId);
};

const isOfEmail = (event: DomainEvent): event is UserEmailEvent => event.type.startsWith('UserEmail');

const isOfSubject = (event: DomainEvent): event is SubjectRedactionEvent =>
  event.type.startsWith('SubjectRedaction');

const isOfEvaluation = (event: DomainEvent): event is EvaluationEvent => event.type.startsWith('Evaluation');

const isOfLogIn = (event: DomainEvent): event is LogInEvent => event.type.startsWith('UserLog');

const isOfUser = (event: DomainEvent): event is UserEvent =>
  event.type.startsWith('User') && event.type !== 'UserInvited';

/** The `n`th time of a test's log, a second after the one before. */
export const timeOf = (n: number): string => new Date(Date.UTC(2026, 10, 21, 10, 0, n)).toISOString();

/** The identifier of the `n`th event of a test's log. */
export const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/**
 * Events as the log would return them one after the other: positions from `first`, revisions counted in each
 * stream.
 */
export const logged = <E extends DomainEvent>(events: readonly E[], first = 1): readonly Recorded<E>[] => {
  const revisions = new Map<string, number>();
  return events.map((event, index) => {
    const stream = streamOf(event);
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const n = first + index;
    const position = String(n).padStart(16, '0') as Recorded['position'];
    const actor = { kind: 'key', id: routing.keyId } as const;
    const metadata = {
      schema: 1,
      at: timeOf(n),
      $correlationId: 'c',
      $causationId: 'c',
      actor,
      prev: null,
    };
    return { ...event, id: idOf(n), stream, revision, position, metadata };
  });
};
