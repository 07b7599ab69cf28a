import { openZip } from '../../../evidence/package/zip.ts';
import { verifyCertificateFile } from '../../../evidence/web/certificate.ts';
import { type StepResult, stepsOf } from '../../../evidence/web/steps.ts';
import type { Happening } from '../../../evidence/web/story.ts';
import { storyOf } from '../../../evidence/web/story.ts';
import { verifyInBrowser } from '../../../evidence/web/verify.ts';
import { zipFileOf } from '../../../evidence/web/zipFile.ts';

type Verdict = Awaited<ReturnType<typeof verifyInBrowser>>;
type CertificateVerdict = NonNullable<Awaited<ReturnType<typeof verifyCertificateFile>>>;

/**
 * What was found of a file: why it is no package, what a certificate says, or each step with its findings and
 * what the package tells.
 */
export type Outcome =
  | Readonly<{ refused: string }>
  | Readonly<{ certificate: CertificateVerdict }>
  | Readonly<{
      holds: boolean;
      steps: readonly StepResult[];
      manifest: Verdict['manifest'];
      /** What a redaction removed. */
      redacted: Verdict['redacted'];
      /** Empty where the package does not hold: then nothing in it can be relied on. */
      story: readonly Happening[];
    }>;

/** Verifies a chosen file; whatever prevents that is the reason why it is refused. */
export const check = async (file: Blob, key: Parameters<typeof verifyInBrowser>[1]): Promise<Outcome> => {
  try {
    const certificate = await verifyCertificateFile(file, key);
    if (certificate) return { certificate };
    const source = await openZip(zipFileOf(file));
    const verdict = await verifyInBrowser(source, key);
    const holds = verdict.findings.length === 0;
    return {
      holds,
      steps: stepsOf(verdict),
      manifest: verdict.manifest,
      redacted: verdict.redacted,
      story: holds ? storyOf(verdict.events) : [],
    };
  } catch (error) {
    return { refused: (error as Error).message };
  }
};
