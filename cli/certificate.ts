import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { CERTIFICATE_LIMITS, certifyRedaction } from '../evidence/certificate.ts';
import { documentText } from '../evidence/format.ts';
import type { PublicKey, SigningKey } from '../evidence/keys.ts';
import { isCertificate, MAX_CERTIFICATE } from '../evidence/verify/certificate.ts';
import { verifyCertificate } from '../evidence/verify.ts';
import { DomainError } from '../kernel/decider.ts';
import { version } from '../kernel/version.ts';
import type { RedactionStatement } from '../schemas/redactionCertificate.ts';
import type { ObjectReader } from '../stores/objects/port.ts';
import { AnsweredNo } from './commandLine.ts';
import { CommandFailed } from './failure.ts';
import { type Output, printable } from './output.ts';
import type { Stores } from './stores.ts';

type Order = Pick<Stores, 'core' | 'output'> &
  Readonly<{ files: ObjectReader; key: SigningKey; id: string; out: string | null }>;

/** Writes the certificate of a submission's redaction to a file, or to standard output. */
export const writeCertificate = async ({ core, files, key, id, out, output }: Order): Promise<void> => {
  const { clock, isDestroyed } = core;
  const log = { read: core.events.read, open: core.open };
  const ports = { log, files, key, isDestroyed, now: clock.now, service: `intake ${version}` };
  const signed = await certifyRedaction(ports, id);
  if (!signed) throw new DomainError('SubmissionNotFound', `There is no submission ${id} here.`);
  if (out === null) return output.answer(signed, () => documentText(signed).trimEnd());
  writeNew(out, documentText(signed));
  await output.answer({ path: out, ...signed }, () =>
    [
      `${out} certifies the redaction of ${signed.certificate.submissionId}, signed with the key ${key.publicKey.id}.`,
      `To check it anywhere: intake audit verify ${out} --key PUBLICKEY (\`intake audit key\` prints the key).`,
    ].join('\n'),
  );
};

const writeNew = (path: string, text: string): void => {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new CommandFailed('not-written', `${path} can’t be written: ${(error as Error).message}.`);
  }
};

/** The text of a file that is JSON, hence no package; null for any other, and for none. */
export const certificateText = (path: string): string | null => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size > MAX_CERTIFICATE) return null;
  const text = readFileSync(path, 'utf8');
  return isCertificate(text) ? text : null;
};

/** Verifies the text of a certificate, and prints the verdict. Throws `AnsweredNo` when it does not hold. */
export const judgeCertificate = async (
  path: string,
  text: string,
  key: PublicKey,
  output: Output,
): Promise<void> => {
  const { certificate, findings } = await verifyCertificate(text, key);
  const holds = findings.length === 0;
  const trusted = holds ? certificate : null;
  const document = {
    holds,
    path,
    key: key.id,
    certificate: trusted,
    findings,
    cannotProve: CERTIFICATE_LIMITS,
  };
  await output.answer(document, () =>
    [
      ...(trusted
        ? goodText(path, trusted)
        : [`${path} does NOT hold:`, ...findings.map((one) => `  ${printable(one)}`)]),
      '',
      'What this can’t prove:',
      ...CERTIFICATE_LIMITS.map((limit) => `  - ${limit}`),
    ].join('\n'),
  );
  if (!holds) throw new AnsweredNo();
};

const goodText = (path: string, certificate: RedactionStatement): readonly string[] => {
  const { submissionId, issuedAt, service, key, requested, done, destroyed, backups, chain } = certificate;
  const { at, legalBasis, reason } = requested;
  return [
    `${path} holds: it was issued at ${issuedAt} by ${printable(service)}, signed with the key ${key}.`,
    `Submission ${submissionId} was redacted: requested at ${at} (${legalBasis}: ${printable(reason)}), done at ${done.at}.`,
    ...destroyed.map(
      ({ what, where, count }) =>
        `  destroyed: ${what}${count === null ? '' : ` (${count})`}, ${printable(where)}`,
    ),
    `From ${backups.unreadableFrom} on no copy of the sealing keys is older than ${backups.maximumAgeDays} days, and none opens it.`,
    `The chain of its ${chain.events} events is whole, the last one’s hash is ${chain.lastHash}.`,
  ];
};
