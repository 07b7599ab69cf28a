import { permissionsOf } from '../../domain/permissions.ts';
import { Batch, BatchPage } from '../batches.ts';
import { Ready } from '../health.ts';
import {
  AgentAnswer,
  AgentRequest,
  ChangePassword,
  Companies,
  CompleteInvitation,
  InvitationState,
  LoggedIn,
  LogIn,
  Me,
  OwnSessions,
  UserCreated,
} from '../identity.ts';
import {
  BeginLogIn,
  BegunLogIn,
  ChangeCompanyLogIn,
  CompanyLogIn,
  CompletedLogIn,
  CompleteLogIn,
  LogInMethods,
} from '../logIn.ts';
import { Problem } from '../problems.ts';
import { WorkflowDefinition } from '../workflowDefinition.ts';
import { type Example, example, ids, times, wholePage } from './example.ts';
import { echo } from './sessions.ts';

const email = 'jane.doe@example.com';
const company = { id: ids.company, name: 'ACME Trading' } as const;
const sessionId = 'lgn_01hv6x3m8q2r5t7w9y0a1b2c3d';
const token = 'q3l9Zt0v6S2xWc8bNf4kHdR7yUeJmAoP1gTiVwXsYzE';

const attempt = 'q0V0QmFzZTY0RXhhbXBsZU9mQUNzcmZUb2tlbkhlcmU';
const roleMap = {
  claim: 'groups',
  roles: { 'intake-reviewers': 'reviewer', 'intake-administrators': 'org_admin' },
} as const;

const draft = {
  slug: 'receipt',
  name: 'Receipt',
  upload: {
    minFiles: 1,
    maxFiles: 1,
    acceptedFormats: ['image/jpeg', 'application/pdf'],
    fileLabels: [],
    maxFileSizeMb: 10,
  },
  outputSchema: [
    { name: 'total', label: 'Total', required: true, description: 'amount paid', type: 'number' },
  ],
  processing: { review: 'always' },
} as const;

export const batch = {
  batchRef: echo.batchRef,
  status: 'completed',
  counts: { total: 12, processed: 12, review: 1, failed: 0, approved: 11 },
  createdAt: times.opened,
  completedAt: '2026-11-21T10:58:10.000Z',
} as const;

export const otherExamples: readonly Example[] = [
  example(Companies, { data: [company], pagination: wholePage }),
  example(Batch, batch),
  example(BatchPage, { data: [batch], pagination: wholePage }),
  example(InvitationState, {
    valid: true,
    reason: null,
    email,
    role: 'org_admin',
    company,
    expiresAt: '2026-11-24T10:46:00.000Z',
  }),
  example(ChangePassword, { current: 'correct horse battery staple', password: 'eleven quiet green lamps' }),
  example(CompleteInvitation, { token, password: 'correct horse battery staple', name: 'Jane Doe' }),
  example(UserCreated, { userId: ids.user, email, role: 'org_admin' }),
  example(LogInMethods, { password: true, identityProvider: 'login.example.com', hasUsers: true }),
  example(BeginLogIn, { returnTo: '/console/queue?status=review' }),
  example(BegunLogIn, {
    location:
      'https://login.example.com/authorize?client_id=intake&response_type=code&code_challenge_method=S256&scope=openid+email+profile',
  }),
  example(CompleteLogIn, { code: 'Zk3v9TqX1', state: attempt, iss: 'https://login.example.com' }),
  example(CompletedLogIn, {
    csrfToken: attempt,
    expiresAt: '2026-11-21T22:46:00.000Z',
    returnTo: '/console/queue?status=review',
  }),
  example(CompanyLogIn, roleMap),
  example(ChangeCompanyLogIn, roleMap),
  example(LogIn, { email, password: 'correct horse battery staple' }),
  example(LoggedIn, { token: `ast_${token}`, csrfToken: null, expiresAt: '2026-11-21T22:46:00.000Z' }),
  example(Me, {
    userId: ids.user,
    email,
    name: 'Jane Doe',
    role: 'reviewer',
    company,
    permissions: permissionsOf('reviewer'),
    sessionId,
    csrfToken: null,
    expiresAt: '2026-11-21T22:46:00.000Z',
  }),
  example(OwnSessions, {
    data: [
      {
        sessionId,
        kind: 'cookie',
        agent: 'Firefox on Linux',
        createdAt: '2026-11-21T10:46:00.000Z',
        lastSeenAt: '2026-11-21T10:58:00.000Z',
        expiresAt: '2026-11-21T22:46:00.000Z',
        current: false,
      },
    ],
    pagination: wholePage,
  }),
  example(AgentRequest, { instruction: 'A receipt with company, date and total; review everything.' }),
  example(AgentAnswer, {
    draft,
    notes: ['Every submission goes to review, as asked.'],
    by: 'model',
  }),
  example(WorkflowDefinition, draft),
  example(Problem, {
    type: '/problems/not-found',
    title: 'Not found',
    status: 404,
    detail: 'There is nothing of this name or identifier, or nothing that the caller may see.',
    instance: '/api/v1/workflows/receipt',
    code: 'not-found',
    requestId: 'order-4711-1',
    retryable: false,
  }),
  example(Ready, {
    status: 'ready',
    checks: [
      { name: 'events', ok: true, detail: null },
      { name: 'projections', ok: true, detail: null },
    ],
  }),
];
