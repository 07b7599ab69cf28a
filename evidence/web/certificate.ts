import { RedactionCertificate } from '../../schemas/redactionCertificate.ts';
import {
  type CertificateVerdict,
  isCertificate,
  MAX_CERTIFICATE,
  verifyCertificateBy,
} from '../verify/certificate.ts';
import type { Verifier } from '../verify/platform.ts';
import { checkOf } from './shape.ts';

const checkCertificate = checkOf(RedactionCertificate);

/** Checks a file that is meant to be a certificate, as `verifyCertificateBy` says; null for any other. */
export const verifyCertificateFile = async (
  file: Blob,
  key: Verifier,
): Promise<CertificateVerdict | null> => {
  if (file.size > MAX_CERTIFICATE) return null;
  const text = await file.text();
  return isCertificate(text) ? verifyCertificateBy(checkCertificate, text, key) : null;
};
