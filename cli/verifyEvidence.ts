import { createReadStream, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { isCollection } from '../evidence/collection/verify.ts';
import { sha256 } from '../evidence/digest.ts';
import { contentsOf, documentText, type Manifest } from '../evidence/format.ts';
import { type PublicKey, readPublicKey } from '../evidence/keys.ts';
import { openPackage } from '../evidence/package/open.ts';
import { LIMITS } from '../evidence/verify/cannotProve.ts';
import { findingText, type ToldVerdict } from '../evidence/verify/told.ts';
import { verifyPackage } from '../evidence/verify.ts';
import { counted } from '../kernel/counted.ts';
import { pick } from '../kernel/pick.ts';
import { certificateText, judgeCertificate } from './certificate.ts';
import { AnsweredNo } from './commandLine.ts';
import { CommandFailed } from './failure.ts';
import { type Output, printable } from './output.ts';
import { judgeCollection } from './verifyCollection.ts';

/**
 * Verifies the package, the collection or the certificate at a path with the public key that `given` holds
 * or names, and prints the verdict. Throws `AnsweredNo` when it does not hold.
 */
export const verifyEvidence = async (path: string, given: string, output: Output): Promise<void> => {
  const key = await readKey(given);
  const certificate = certificateText(path);
  if (certificate !== null) return judgeCertificate(path, certificate, key, output);
  if (await isCollection(path)) return judgeCollection(path, key, output);
  const source = await openPackage(path);
  try {
    const verdict = await verifyPackage(source, key);
    await output.answer(documentOf(path, key, verdict), () => verdictText(path, key, verdict));
    if (verdict.findings.length > 0) throw new AnsweredNo();
  } finally {
    await source.close();
  }
};

const MAX_KEY_BYTES = 10_000;

const readKey = async (given: string): Promise<PublicKey> => {
  const file = statSync(given, { throwIfNoEntry: false });
  // Pipes and devices have no size that says how much there is to read.
  const isReadable = file !== undefined && !file.isDirectory();
  const key = readPublicKey(
    isReadable ? await text(createReadStream(given, { end: MAX_KEY_BYTES - 1 })) : given,
  );
  if (key) return key;
  const what = file ? `${printable(given)} holds` : 'What --key names is no file, and';
  throw new CommandFailed(
    'no-public-key',
    `${what} no public key: it must be the PEM of an Ed25519 key, or the base64 in it.`,
    '`intake audit key`, where the evidence was exported, prints it. EVIDENCE_KEY is the secret one, and never leaves the service.',
  );
};

/** A verdict for programs. The package's own metadata is included only when it is valid. */
const documentOf = (path: string, key: PublicKey, { manifest, findings, redacted }: ToldVerdict): object => ({
  holds: findings.length === 0,
  path,
  key: key.id,
  package: manifest && findings.length === 0 ? packageOf(manifest) : null,
  findings,
  redacted: findings.length === 0 ? redacted : [],
  cannotProve: LIMITS,
});

const packageOf = (manifest: Manifest) => ({
  ...pick(manifest, 'submissionId', 'exportedAt', 'service'),
  ...contentsOf(manifest),
  missing: manifest.missing,
  manifestSha256: sha256(documentText(manifest)),
});

/** A verdict for people: whether it holds, what was found, and what no check can prove. */
const verdictText = (path: string, key: PublicKey, { manifest, findings, redacted }: ToldVerdict): string =>
  [
    ...(manifest && findings.length === 0
      ? goodText(path, key, manifest, redacted)
      : badText(path, findings)),
    '',
    'What this can’t prove:',
    ...LIMITS.map((limit) => `  - ${limit}`),
  ].join('\n');

const goodText = (
  path: string,
  key: PublicKey,
  manifest: Manifest,
  redacted: ToldVerdict['redacted'],
): readonly string[] => {
  const { submissionId, exportedAt, service, missing } = manifest;
  const { events, lastHash, deliveries, files } = contentsOf(manifest);
  return [
    `${path} holds: it is what was exported at ${exportedAt} by ${service}, signed with the key ${key.id}.`,
    `Submission ${submissionId}: ${counted(events, 'event')}, ${counted(deliveries, 'webhook')}, ${counted(files, 'file')}. The last event’s hash is ${lastHash}.`,
    ...(redacted.length > 0
      ? ['What a redaction removed:', ...redacted.map((one) => `  ${printable(findingText(one))}`)]
      : missing.map(
          ({ fileIndex, fileId }) =>
            `File ${fileIndex} (${fileId}) was missing in the store when it was exported.`,
        )),
  ];
};

const MAX_FINDINGS = 50;

const badText = (path: string, findings: ToldVerdict['findings']): readonly string[] => {
  const [first] = findings;
  return [
    `${path} does NOT hold. The first finding is at ${first ? printable(first.file) : ''}; ${findings.length} in all:`,
    ...findings.slice(0, MAX_FINDINGS).map((found) => `  ${printable(findingText(found))}`),
    ...(findings.length > MAX_FINDINGS
      ? [`  and ${findings.length - MAX_FINDINGS} more: --json lists them all`]
      : []),
  ];
};
