import type { echoed } from '../../domain/submission/echoed.ts';
import {
  DeclaredFile,
  FreshUploads,
  Job,
  SessionCreated,
  SessionRequest,
  UploadPart,
  UploadSlot,
} from '../sessions.ts';
import { type Example, example, ids, receipt, times } from './example.ts';

const ofSession = {
  clientSubmissionId: 'order-4711',
  metadata: { department: 'sales' },
} as const satisfies Record<keyof typeof echoed, unknown>;

export const echo = { ...ofSession, batchRef: 'trip-2026-11' } as const;

const page = { width: 760, height: 1_480 } as const;

export const result = {
  fields: {
    company: {
      value: 'ACME Trading',
      confidence: 0.97,
      text: 'ACME Trading',
      place: { fileId: ids.file, page: 1, size: page, box: { left: 112, top: 80, right: 640, bottom: 131 } },
    },
    total: {
      value: 80.9,
      confidence: 0.91,
      text: '80.90',
      place: {
        fileId: ids.file,
        page: 1,
        size: page,
        box: { left: 508, top: 1202, right: 640, bottom: 1240 },
      },
    },
  },
  pages: 1,
  files: [{ fileId: ids.file, fileIndex: 0, label: 'front', fileName: 'receipt.jpg' }],
} as const;

const uploads = [
  {
    fileId: ids.file,
    fileIndex: 0,
    label: 'front',
    method: 'PUT',
    url: 'https://storage.example.com/intake/uploads/01hv6x3m8q2r5t7w9y0a1b2c3d/0?X-Amz-Expires=86400&X-Amz-Signature=5d41',
    headers: {
      'Content-Type': 'image/jpeg',
      'x-amz-checksum-sha256': '3q2+7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    },
    fields: null,
    parts: null,
    expiresAt: times.expires,
  },
] as const;

const declared = {
  label: 'front',
  fileName: 'receipt.jpg',
  mimeType: 'image/jpeg',
  fileSize: 482_133,
} as const;

export const sessionExamples: readonly Example[] = [
  example(DeclaredFile, declared),
  example(SessionRequest, {
    webhookUrl: 'https://erp.example.com/hooks/intake',
    ...echo,
    files: [declared],
  }),
  example(UploadSlot, uploads[0]),
  example(UploadPart, {
    partNumber: 1,
    size: 16_777_216,
    url: 'https://storage.example.com/intake/uploads/01hv6x3m8q2r5t7w9y0a1b2c3d/0?partNumber=1&uploadId=2353e4fc&X-Amz-Signature=5d41',
    headers: {},
    uploaded: false,
  }),
  example(SessionCreated, {
    sessionId: ids.session,
    submissionId: ids.submission,
    workflow: receipt,
    state: 'pending',
    submissionStatus: 'created',
    uploads,
    expiresAt: times.expires,
    ...echo,
    createdAt: times.opened,
  }),
  example(FreshUploads, { sessionId: ids.session, uploads, expiresAt: times.expires }),
  example(Job, {
    sessionId: ids.session,
    submissionId: ids.submission,
    workflow: receipt,
    companyId: ids.company,
    state: 'completed',
    submissionStatus: 'review',
    result,
    failedReason: null,
    ...ofSession,
    processedAt: times.processed,
    webhookDeliveryStatus: 'delivered',
  }),
];
