import { fromBase64, hexOf } from '../bytes.ts';
import type { Verifier } from '../verify/platform.ts';

const SPKI_BYTES = 44;
const PEM = /-----BEGIN PUBLIC KEY-----([^-]*)-----END PUBLIC KEY-----/;

/** Reads an Ed25519 public key from its PEM, or from the base64 in it; null for anything else. */
export const readPublicKey = async (text: string): Promise<Verifier | null> => {
  const der = fromBase64((PEM.exec(text)?.[1] ?? text).replaceAll(/\s/g, ''));
  if (der?.length !== SPKI_BYTES) return null;
  const key = await crypto.subtle.importKey('spki', der, 'Ed25519', false, ['verify']).catch(() => null);
  if (key === null) return null;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', der));
  return {
    id: hexOf(digest).slice(0, 16),
    holds: (bytes, signature) =>
      crypto.subtle.verify('Ed25519', key, new Uint8Array(signature), new Uint8Array(bytes)),
  };
};

/** An Ed25519 key of nobody: whether one can be read tells whether signatures can be checked here. */
const SOME_KEY = 'MCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=';

/**
 * Whether signatures can be checked here: older browsers know no Ed25519, and pages without TLS no signatures
 * at all.
 */
export const canVerify = async (): Promise<boolean> =>
  globalThis.crypto?.subtle !== undefined && (await readPublicKey(SOME_KEY)) !== null;
