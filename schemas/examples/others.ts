import { Batch } from '../batches.ts';
import { Ready } from '../health.ts';
import {
  AgentAnswer,
  AgentRequest,
  Companies,
  CompleteInvitation,
  InvitationState,
  LoggedIn,
  LogIn,
  UserCreated,
} from '../identity.ts';
import { Problem } from '../problems.ts';
import { WorkflowDefinition } from '../workflowDefinition.ts';
import { type Example, example, ids, times, wholePage } from './example.ts';
import { echo } from './sessions.ts';

const email = 'jane.doe@example.com';
const company = { id: ids.company, name: 'ACME Trading' } as const;
const token = 'q3l9Zt0v6S2xWc8bNf4kHdR7yUeJmAoP1gTiVwXsYzE';

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

export const otherExamples: readonly Example[] = [
  example(Companies, { data: [company], pagination: wholePage }),
  example(Batch, {
    batchRef: echo.batchRef,
    status: 'completed',
    counts: { total: 12, processed: 12, review: 1, failed: 0, approved: 11 },
    createdAt: times.opened,
    completedAt: '2026-11-21T10:58:10.000Z',
  }),
  example(InvitationState, {
    valid: true,
    reason: null,
    email,
    role: 'org_admin',
    company,
    expiresAt: '2026-11-24T10:46:00.000Z',
  }),
  example(CompleteInvitation, { token, password: 'correct horse battery staple', name: 'Jane Doe' }),
  example(UserCreated, { userId: ids.user, email, role: 'org_admin' }),
  example(LogIn, { email, password: 'correct horse battery staple' }),
  example(LoggedIn, { token: `ast_${token}`, expiresAt: '2026-11-21T22:46:00.000Z' }),
  example(AgentRequest, { instruction: 'A receipt with company, date and total; review everything.' }),
  example(AgentAnswer, {
    draft,
    notes: ['Every submission goes to review, as asked.'],
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
