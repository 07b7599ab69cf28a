import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { sha256 } from './digest.ts';

export type PublicKey = Readonly<ReturnType<typeof publicKeyOf>>;

/** A key that signs evidence, with Ed25519. */
export type SigningKey = Readonly<{ publicKey: PublicKey; sign(bytes: Uint8Array): Buffer }>;

// The PKCS #8 header of a seed of 32 bytes (RFC 8410): Node reads no bare seed.
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_BYTES = 44;

/** The key of a seed of 32 bytes. */
export const signingKey = (seed: Uint8Array): SigningKey => {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  return { publicKey: publicKeyOf(createPublicKey(key)), sign: (bytes) => sign(null, bytes, key) };
};

/** Reads an Ed25519 public key from its PEM, or from the base64 in it; null for anything else. */
export const readPublicKey = (text: string): PublicKey | null => {
  const [, inside = text] = /-----BEGIN PUBLIC KEY-----(.*?)-----END PUBLIC KEY-----/s.exec(text) ?? [];
  const der = Buffer.from(inside.replaceAll(/\s/g, ''), 'base64');
  if (der.length !== SPKI_BYTES) return null;
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? publicKeyOf(key) : null;
  } catch {
    // Not a key, hence null.
    return null;
  }
};

/** A public key. Its id is the first 16 hex digits of the SHA-256 of its SPKI DER. */
const publicKeyOf = (key: KeyObject) => {
  const der = key.export({ format: 'der', type: 'spki' });
  return {
    id: sha256(der).slice(0, 16),
    pem: key.export({ format: 'pem', type: 'spki' }).toString(),
    holds: (bytes: Uint8Array, signature: Uint8Array): boolean => verify(null, bytes, key, signature),
  };
};
