import type { RedactionCertificate, RedactionStatement } from '../../schemas/redactionCertificate.ts';
import { bytesOf, fromBase64 } from '../bytes.ts';
import { documentText } from '../format.ts';
import { said } from './findings.ts';
import { parsed } from './json.ts';
import type { Platform, Verifier } from './platform.ts';
import type { Said } from './sentences.ts';

/** No certificate has more bytes. */
export const MAX_CERTIFICATE = 1_000_000;

/** Whether a text is meant to be a certificate: packages are folders and zip files. */
export const isCertificate = (text: string): boolean => text.trimStart().startsWith('{');

/** The result of a check: `certificate` can be trusted only without findings. */
export type CertificateVerdict = Readonly<{
  certificate: RedactionStatement | null;
  findings: readonly Said[];
}>;

/** Checks the text of a certificate with a public key alone; `check` is that of its schema. */
export const verifyCertificateBy = async (
  check: Platform['checkManifest'],
  text: string,
  key: Verifier,
): Promise<CertificateVerdict> => {
  const read = parsed<RedactionCertificate>(text, check);
  if ('fault' in read) return { certificate: null, findings: [said('noCertificate', { why: read.fault })] };
  const { certificate, signature } = read.value;
  const findings: Said[] = [];
  if (certificate.key !== key.id)
    findings.push(said('otherKey', { found: certificate.key, expected: key.id }));
  const bytes = fromBase64(signature);
  if (bytes === null || !(await key.holds(bytesOf(documentText(certificate)), bytes)))
    findings.push(said('certificateUnsigned', { key: key.id }));
  return { certificate, findings };
};
