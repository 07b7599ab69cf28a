import type { Readable } from 'node:stream';
import { meaning, Type, text } from '../kernel/schema.ts';

/** A signed package: docs/auditors.md has its form. */
export const EvidencePackage = Type.Unsafe<Readable>({
  type: 'string',
  format: 'binary',
  description: 'A zip file.',
});

/** The public key that verifies packages. */
export const EvidenceKey = Type.Object({
  id: meaning(
    Type.String({ pattern: '^[0-9a-f]{16}$' }),
    'the first 16 digits of the SHA-256 of the key (SPKI DER), which packages name',
  ),
  algorithm: Type.Literal('Ed25519'),
  publicKey: text('the key as PEM'),
});
