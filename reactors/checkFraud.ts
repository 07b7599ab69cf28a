import type { fingerprintSubmission } from '../commands/fingerprintSubmission.ts';
import type { Context } from '../commands/handle.ts';
import type { Mode } from '../domain/kernel.ts';
import { type CheckOffered, type HashedFile, traitsOf } from '../domain/submission/fingerprints.ts';
import { matchesOf } from '../domain/submission/matches.ts';
import type { Result } from '../domain/submission/processing.ts';
import type { Submission } from '../domain/submission/state.ts';
import type { WorkflowVersion } from '../domain/workflow.ts';
import { PassingFailure } from '../processing/errors.ts';
import type { fraudQueries } from '../projections/fraudIndex.ts';
import type { Progress } from '../projections/progress.ts';
import type { Ids } from '../runtime/ids.ts';

type FraudPorts = Readonly<{
  fingerprint: ReturnType<typeof fingerprintSubmission>;
  index: ReturnType<typeof fraudQueries>;
  progress: Pick<Progress, 'reached'>;
  ids: Ids;
  /** Hides a trait, so that the log holds no hash that somebody could recognise. */
  hide(checkType: CheckOffered, companyId: string, mode: Mode, text: string): string;
}>;

type Extracted = Extract<Result, { kind: 'extracted' }>;
export type CheckFraud = (
  submission: Submission,
  version: WorkflowVersion,
  read: Readonly<{ files: readonly HashedFile[]; extraction: Extracted['extraction'] }>,
  context: Context,
) => Promise<Extracted['fraud']>;

/** How long the index may take to show a fingerprint that was just appended. */
const SHOW_MS = 5_000;

/**
 * The matches of a submission whose data were read, null for a version without checks: appends its fingerprints, waits until the index
 * shows them, and looks for those of the same value that came first in the log, so that of duplicates processed at the same moment each one but the
 * first sees another (decisions, section 4). Throws `PassingFailure` when the index is late, and `ProcessingAttemptSuperseded`.
 */
export const checkFraud =
  ({ fingerprint, index, progress, ids, hide }: FraudPorts): CheckFraud =>
  async ({ routing, round, attempt }, version, { files, extraction }, context) => {
    const { checks, businessKey, ...policy } = version.processing.fraud;
    if (checks.length === 0) return null;
    const { submissionId, companyId, mode } = routing;
    const fingerprints = traitsOf(version, files, extraction.extractedData).map(
      ({ checkType, text, files: named }) => ({
        checkType,
        value: hide(checkType, companyId, mode, text),
        files: named,
      }),
    );
    const command = { type: 'RecordFingerprints', round, attempt, fingerprints } as const;
    const placed = await fingerprint(submissionId, command, context);
    if (placed === null) return { matches: [], policy };
    if (!(await progress.reached(placed.position, SHOW_MS)))
      throw new PassingFailure('the fraud index does not show the submission’s fingerprints yet');
    const found = await Promise.all(
      placed.fingerprints.map(async (own) => ({
        fingerprint: own,
        ...(await index.before(own.value, placed.position)),
      })),
    );
    return { matches: matchesOf(found, businessKey, () => `fm_${ids.ulid()}`), policy };
  };
