import { Readable } from 'node:stream';
import type { evidenceExports } from '../../commands/evidenceExports.ts';
import type { SubmissionDocument } from '../../projections/submissions.ts';
import { EvidenceExports, EvidenceKey, EvidencePackage } from '../../schemas/evidence.ts';
import { submissionId } from '../../schemas/parameters.ts';
import { RedactionCertificate } from '../../schemas/redactionCertificate.ts';
import type { Reserved } from '../../stores/idempotency/port.ts';
import { Problem } from '../engine/problems/problem.ts';
import { wholeList } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext, visibleDocument } from './caller.ts';

type PublicKey = Readonly<{ id: string; pem: string }>;

type EvidencePorts = Readonly<{
  find(submissionId: string): Promise<SubmissionDocument | null>;
  /** The key that verifies what is exported here; null where none is set. */
  publicKey(): PublicKey | null;
  /** Why the evidence of a submission can't be exported, for people; null where it can. */
  refusal(submissionId: string): Promise<string | null>;
  /** The certificate of a submission's redaction, or why none can be given. Throws `RedactionNotDone`. */
  certify(submissionId: string): Promise<RedactionCertificate | string | null>;
  exports: ReturnType<typeof evidenceExports>;
  /** Counts an export of a person; throws 429 for one too many. */
  limit(userId: string): Promise<void>;
  /** The package as a zip file, made while it is read. */
  open(submissionId: string): Readable;
  reserve(): Reserved;
}>;

/** Exports of one person at once: each goes on for as long as its client reads. */
const MAX_AT_ONCE = 3;

/** Signed evidence (audit-4), and the key that verifies it (audit-6). */
export const evidenceRoutes = (ports: EvidencePorts): readonly Route[] => {
  const begin = createLimit(MAX_AT_ONCE);
  return [
    route({
      name: 'exportEvidence',
      summary: 'Export the signed evidence of a submission',
      description:
        'A zip file with the events, files, decisions and webhooks of the submission, which `intake audit verify` checks with the public key alone. Each export is recorded (`/evidence/exports`). An answer that ends early is cut off: the connection breaks.',
      method: 'GET',
      path: '/api/v1/submissions/{submissionId}/evidence',
      access: 'evidence.export',
      parameters: { submissionId },
      answers: { 200: EvidencePackage },
      media: 'application/zip',
      headers: ['Content-Disposition'],
      refusals: ['evidence-key-missing', 'evidence-refused', 'rate-limited'],
    })({
      find: visibleDocument(ports.find),
      run: async (request) => {
        const { id, submission } = request.found;
        const { userId } = request.caller;
        const key = requireKey(ports.publicKey());
        const end = begin(userId);
        try {
          await ports.limit(userId);
          const reason = await ports.refusal(id);
          if (reason !== null) throw new Problem('evidence-refused', reason);
          const headers = { 'Content-Disposition': `attachment; filename="evidence-${id}.zip"` };
          if (request.headOnly) return { status: 200, headers, body: Readable.from([]).once('close', end) };
          const context = commandContext({ ...request, reserved: ports.reserve() });
          // Before the first byte: nobody has the package of whom the log does not say so.
          await ports.exports.record(submission.routing, key.id, context);
          return { status: 200, headers, body: ports.open(id).once('close', end) };
        } catch (error) {
          end();
          throw error;
        }
      },
    }),
    route({
      name: 'listEvidenceExports',
      summary: 'List who exported the evidence of a submission',
      description:
        'The newest 100 exports over HTTP, newest first, in one page; `total` says how many there are in all.',
      method: 'GET',
      path: '/api/v1/submissions/{submissionId}/evidence/exports',
      access: 'evidence.export',
      parameters: { submissionId },
      answers: { 200: EvidenceExports },
    })({
      find: visibleDocument(ports.find),
      run: async ({ found }) => {
        const { exports, total } = await ports.exports.newest(found.id);
        const data = exports.map(({ data: { key }, metadata: { at, actor, requestId = null } }) => ({
          ...{ exportedAt: at, actor, requestId, key },
        }));
        return { status: 200, body: { ...wholeList(data), total } };
      },
    }),
    route({
      name: 'getRedactionCertificate',
      summary: 'Get the signed certificate of the redaction of a submission',
      description:
        'What was destroyed, where and by when; who asked for it and on which legal basis; from when on no backup can bring it back; and what that can’t prove. `intake audit verify` checks it with the public key alone. Nothing private is in it.',
      method: 'GET',
      path: '/api/v1/submissions/{submissionId}/redaction-certificate',
      access: 'evidence.export',
      parameters: { submissionId },
      answers: { 200: RedactionCertificate },
      refusals: ['redaction-not-done', 'evidence-key-missing', 'evidence-refused'],
    })({
      find: visibleDocument(ports.find),
      run: async ({ found: { id } }) => {
        requireKey(ports.publicKey());
        const body = await ports.certify(id);
        if (typeof body === 'string') throw new Problem('evidence-refused', body);
        if (body === null) throw new Problem('not-found');
        return { status: 200, body };
      },
    }),
    route({
      name: 'getEvidenceKey',
      summary: 'Get the public key that verifies the evidence that is exported here',
      description: 'For everybody: it is no secret. Compare its identifier by another way.',
      method: 'GET',
      path: '/api/v1/evidence-key',
      access: 'none',
      answers: { 200: EvidenceKey },
      refusals: ['evidence-key-missing'],
    })({
      run: async () => {
        const { id, pem } = requireKey(ports.publicKey());
        return { status: 200, body: { id, algorithm: 'Ed25519', publicKey: pem } };
      },
    }),
  ];
};

/** Throws 409 where the service has no key. */
const requireKey = (key: PublicKey | null): PublicKey => {
  if (key === null) throw new Problem('evidence-key-missing');
  return key;
};

/** Counts what a person has under way; what it gives ends one. Throws 429 for one too many. */
const createLimit = (max: number) => {
  const running = new Map<string, number>();
  const change = (userId: string, by: 1 | -1): void => {
    const count = (running.get(userId) ?? 0) + by;
    if (count === 0) running.delete(userId);
    else running.set(userId, count);
  };
  return (userId: string): (() => void) => {
    if ((running.get(userId) ?? 0) >= max)
      throw new Problem('rate-limited', `${max} exports of yours are under way: wait until one has ended.`, {
        headers: { 'Retry-After': '1' },
      });
    change(userId, 1);
    let isRunning = true;
    return () => {
      if (isRunning) change(userId, -1);
      isRunning = false;
    };
  };
};
