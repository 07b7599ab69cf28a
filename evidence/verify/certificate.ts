import type { RedactionCertificate, RedactionStatement } from '../../schemas/redactionCertificate.ts';
import { bytesOf, fromBase64 } from '../bytes.ts';
import { documentText } from '../format.ts';
import { parsed } from './json.ts';
import type { Platform, Verifier } from './platform.ts';

/** No certificate has more bytes. */
export const MAX_CERTIFICATE = 1_000_000;

/** Whether a text is meant to be a certificate: packages are folders and zip files. */
export const isCertificate = (text: string): boolean => text.trimStart().startsWith('{');

/** The result of a check: `certificate` can be trusted only without findings. */
export type CertificateVerdict = Readonly<{
  certificate: RedactionStatement | null;
  findings: readonly string[];
}>;

/** Checks the text of a certificate with a public key alone; `check` is that of its schema. */
export const verifyCertificateBy = async (
  check: Platform['checkManifest'],
  text: string,
  key: Verifier,
): Promise<CertificateVerdict> => {
  const read = parsed<RedactionCertificate>(text, check);
  if ('fault' in read)
    return { certificate: null, findings: [`is no certificate of a known version: ${read.fault}`] };
  const { certificate, signature } = read.value;
  const findings: string[] = [];
  if (certificate.key !== key.id)
    findings.push(`it was signed with the key ${certificate.key}, the key given is ${key.id}`);
  const bytes = fromBase64(signature);
  if (bytes === null || !(await key.holds(bytesOf(documentText(certificate)), bytes)))
    findings.push(`its signature is not that of the key ${key.id}: it was changed, or it is of another key`);
  return { certificate, findings };
};
