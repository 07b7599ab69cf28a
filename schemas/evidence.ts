import type { Readable } from 'node:stream';
import { example, meaning, type Of, pageOf, Time, Type, text, times, whole } from '../kernel/schema.ts';
import { Actor, RequestId } from './actors.ts';

/** A signed package: docs/auditors.md has its form. */
export const EvidencePackage = Type.Unsafe<Readable>({
  type: 'string',
  format: 'binary',
  description: 'A zip file.',
});

const KEY_ID = '2f9c1e07b4d85a63';

/** The public key that verifies packages. */
export const EvidenceKey = Type.Object({
  id: meaning(
    Type.String({ pattern: '^[0-9a-f]{16}$' }),
    'the first 16 digits of the SHA-256 of the key (SPKI DER), which packages name',
    KEY_ID,
  ),
  algorithm: Type.Literal('Ed25519'),
  publicKey: text(
    'the key as PEM',
    '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n',
  ),
});

/** An export of the evidence of a submission. */
export const EvidenceExport = Type.Object({
  exportedAt: example(Time, times.decided),
  actor: Actor,
  requestId: RequestId,
  key: text('the identifier of the public key that verifies the package', KEY_ID),
});

/** GET /submissions/{submissionId}/evidence/exports (audit-7). */
export const EvidenceExports = Type.Object({
  ...pageOf(EvidenceExport).properties,
  total: whole('how many there are in all', 1),
});
export type EvidenceExports = Of<typeof EvidenceExports>;
