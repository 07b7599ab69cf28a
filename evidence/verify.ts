import { createHash } from 'node:crypto';
import { compile } from '../schemas/ajv.ts';
import { RedactionCertificate } from '../schemas/redactionCertificate.ts';
import { isSupported, submissionEvents } from './derive/supported.ts';
import { deliveryEntry, documentsOf } from './derive.ts';
import { Line, Manifest } from './format.ts';
import type { Source } from './package/source.ts';
import { verifyCertificateBy } from './verify/certificate.ts';
import { verifyBy } from './verify/package.ts';
import type { Hash, Platform, Verifier } from './verify/platform.ts';
import { sentenceOf } from './verify/sentences.ts';
import { type ToldVerdict, toldVerdict } from './verify/told.ts';

const hashOf = (algorithm: 'sha256' | 'md5') => (): Hash => {
  const hash = createHash(algorithm);
  return { add: (chunk) => void hash.update(chunk), end: async () => hash.digest('hex') };
};

const node: Platform = {
  sha256: hashOf('sha256'),
  md5: hashOf('md5'),
  checkManifest: compile(Manifest),
  checkLine: compile(Line),
  derivation: { isSupported, submissionEvents, deliveryEntry, documentsOf },
};

/** Checks a package, as `verifyBy` says, with all that the service knows of its documents. */
export const verifyPackage = (source: Source, key: Verifier): Promise<ToldVerdict> =>
  verifyBy(node, source, key).then(toldVerdict);

const checkCertificate = compile(RedactionCertificate);

/** Checks the text of a certificate, as `verifyCertificateBy` says. */
export const verifyCertificate = async (text: string, key: Verifier) => {
  const { certificate, findings } = await verifyCertificateBy(checkCertificate, text, key);
  return { certificate, findings: findings.map(sentenceOf) };
};
