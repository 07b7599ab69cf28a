import { readFileSync } from 'node:fs';
import { eventually } from '../../harness.ts';
import { type Client, client, receiptText } from '../../support/client.ts';
import { receiptDefinition } from '../../support/definition.ts';
import type { TestService } from '../../support/service.ts';

const PDF = {
  content: readFileSync(new URL('../../../../scripts/samples/receipt.pdf', import.meta.url)),
  mimeType: 'application/pdf',
};

/** The keys that may call, beside the owner's: what each of them sees is what a row says. */
export const others = ['otherKey', 'otherMode', 'foreign'] as const;
export type Other = (typeof others)[number];

export type World = Awaited<ReturnType<typeof makeWorld>>;

/**
 * A company with two keys and one of test mode, another company, and what the first key (`owner`) has made:
 * one thing of each kind that a path can name. All work is done when it resolves: whatever is appended from
 * then on comes of a request.
 */
export const makeWorld = async (service: TestService) => {
  const fraud = { checks: ['duplicate_file'] };
  const company = await service.company({ ...receiptDefinition, processing: { review: 'always', fraud } });
  const foreign = await service.company({ ...receiptDefinition, slug: 'foreign' });
  const owner = company.api;
  const session = await owner.open([receiptText()], { batchRef: 'matrix.1' });
  await owner.process([receiptText()], {});
  const job = await owner.process([receiptText()], {
    batchRef: 'matrix.1',
    clientSubmissionId: 'matrix-client',
    webhookUrl: `${service.receiver.url}/matrix`,
  });
  const read = await owner.process([PDF]);
  const pages = await owner.get(`/api/v1/submissions/${read.submissionId}`);
  const matches = await owner.get(`/api/v1/submissions/${job.submissionId}/fraud-matches`);
  const detail = await owner.get(`/api/v1/submissions/${job.submissionId}`);
  const endpoint = await owner.post('/api/v1/webhook-endpoints', {
    ...{ url: `${service.receiver.url}/matrix-endpoint`, description: 'matrix-client' },
    eventTypes: ['batch.completed'],
  });
  const redaction = await owner.post('/api/v1/redactions', {
    ...{ clientSubmissionId: 'nobody', reason: 'erasure', legalBasis: 'erasure_request' },
  });
  const evaluation = await owner.post('/api/v1/evaluations', { workflow: { slug: 'receipt', version: 1 } });
  const told = await service.receiver.waitFor(({ path }) => path === '/matrix');
  await eventually(
    'the delivery is recorded',
    async () => (await owner.job(job)).body.webhookDeliveryStatus === 'delivered',
  );
  return {
    owner,
    companyId: company.id,
    foreignCompanyId: foreign.id,
    otherKey: (await service.key(company.id)).api,
    otherMode: (await service.key(company.id, 'test')).api,
    foreign: foreign.api,
    unscoped: (await service.key(null)).api,
    revoked: await revokedKey(service, company.id),
    /** A workflow that the first company may use and the other one may not. */
    slug: 'receipt',
    /** A session of the owner's that waits for its files. */
    sessionId: session.sessionId as string,
    /** A submission of the owner's in review. */
    submissionId: job.submissionId as string,
    /** Its file. */
    fileId: detail.body.files[0].id as string,
    /** Another submission, and its file, whose words are kept. */
    read: { submissionId: read.submissionId as string, fileId: pages.body.files[0].id as string },
    /** An open fraud match of that submission. */
    matchId: matches.body.data[0].id as string,
    /** A batch of both. */
    batchRef: 'matrix.1',
    /** A redaction of several, of which there are none. */
    redactionId: redaction.body.redactionId as string,
    /** An evaluation of no submissions: none is approved. */
    evaluationId: evaluation.body.evaluationId as string,
    /** A webhook endpoint of the company. */
    endpointId: endpoint.body.id as string,
    /** The delivered webhook that told of the submission. */
    eventId: String(told.headers['x-webhook-id']),
  } satisfies Record<Other | 'owner' | 'unscoped' | 'revoked', Client> & Record<string, unknown>;
};

const revokedKey = async (service: TestService, companyId: string): Promise<Client> => {
  const { id, key } = await service.key(companyId);
  await service.intake('key', 'revoke', id);
  return client(service.url, key);
};
