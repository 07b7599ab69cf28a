import {
  RotateEndpointSecret,
  WebhookEndpoint,
  WebhookEndpointMade,
  WebhookEndpointOptions,
  WebhookEndpoints,
} from '../webhookEndpoints.ts';
import { type Example, example, ids, times, wholePage } from './example.ts';

const options = {
  url: 'https://erp.example.com/hooks/intake',
  description: 'ERP',
  eventTypes: ['session.completed', 'batch.completed'],
  retrySchedule: 'extended',
} as const;

const endpoint = {
  id: 'whe_01hv6x3m8q2r5t7w9y0a1b2c3d',
  companyId: ids.company,
  mode: 'live',
  ...options,
  status: 'enabled',
  ...{ disabledAt: null, disabledBy: null, disabledReason: null },
  ...{ previousSecretExpiresAt: null, createdAt: times.opened, createdBy: `user:${ids.user}` },
} as const;

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

export const webhookEndpointExamples: readonly Example[] = [
  example(WebhookEndpointOptions, options),
  example(WebhookEndpoint, endpoint),
  example(WebhookEndpoints, { data: [endpoint], pagination: wholePage }),
  example(WebhookEndpointMade, { ...endpoint, secret }),
  example(RotateEndpointSecret, { overlapSeconds: 86_400 }),
];
