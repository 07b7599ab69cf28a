import type { fingerprintSubmission } from '../../commands/fingerprintSubmission.ts';
import type { Context } from '../../commands/handle.ts';
import { type HashedFile, pagesToCompare, traitsOf } from '../../domain/submission/fingerprints.ts';
import { matchesOf } from '../../domain/submission/matches.ts';
import type { PageLikeness } from '../../domain/submission/prints.ts';
import type { Result } from '../../domain/submission/processing.ts';
import type { Submission } from '../../domain/submission/state.ts';
import type { FraudCheck, WorkflowVersion } from '../../domain/workflow.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Mode } from '../../kernel/scope.ts';
import type { Progress } from '../../projections/engine/progress.ts';
import type { fraudQueries } from '../../projections/fraudIndex.ts';
import type { EventLog } from '../../stores/events/log.ts';
import { PassingFailure } from '../errors.ts';
import type { Processor } from '../process.ts';
import { findNear } from './findNear.ts';

export type FraudPorts = Readonly<{
  fingerprint: ReturnType<typeof fingerprintSubmission>;
  index: ReturnType<typeof fraudQueries>;
  progress: Pick<Progress, 'reached'>;
  ids: Ids;
  log: Pick<EventLog, 'load'>;
  processor: Pick<Processor, 'compare'>;
  /** Hears of pairs of pages that were not compared: that would have cost more than a check may, or what is kept of one is broken. */
  onLeft(pairs: number): void;
  /** Hides a trait, so that the log holds no hash that somebody could recognise. */
  hide(checkType: FraudCheck, companyId: string, mode: Mode, text: string): string;
}>;

/** Hides a trait of one company and mode. */
export type Hide = (checkType: FraudCheck, text: string) => string;

type Extracted = Extract<Result, { kind: 'extracted' }>;
export type CheckFraud = (
  submission: Submission,
  version: WorkflowVersion,
  read: Readonly<{
    files: readonly HashedFile[];
    pages: readonly PageLikeness[];
    extraction: Extracted['extraction'];
  }>,
  context: Context,
  signal: AbortSignal,
) => Promise<Extracted['fraud']>;

/** How many hex digits of a hidden trait are kept. A page has a dozen keys, and an equal one alone proves nothing: half of it will do. */
const LENGTHS: Readonly<Record<FraudCheck, number>> = {
  duplicate_file: 64,
  duplicate_data: 64,
  near_duplicate_image: 32,
};
/** How long the index may take to show a fingerprint that was just appended. */
const SHOW_MS = 5_000;

/**
 * The matches of a submission whose data were read, null for a version without checks: appends its fingerprints, waits until the index
 * shows them, and looks for those of the same value that came first in the log, so that of duplicates processed at the same moment each one but the
 * first sees another (fraud-8). Throws `PassingFailure` when the index is late, and `ProcessingAttemptSuperseded`.
 */
export const checkFraud =
  (ports: FraudPorts): CheckFraud =>
  async ({ routing, round, attempt }, version, { files, pages: all, extraction }, context, signal) => {
    const { checks, businessKey, policy: answers, ...lines } = version.processing.fraud;
    if (checks.length === 0) return null;
    const policy = { ...lines, ...(answers ? { answers } : {}) };
    const { submissionId, companyId, mode } = routing;
    const hide: Hide = (checkType, text) =>
      ports.hide(checkType, companyId, mode, text).slice(0, LENGTHS[checkType]);
    const pages = pagesToCompare(all);
    const fingerprints = traitsOf(version, files, extraction.extractedData, pages).map(
      ({ checkType, text, files: named }) => ({ checkType, value: hide(checkType, text), files: named }),
    );
    const prints = pages.map(({ print }) => print);
    const command = { type: 'RecordFingerprints', round, attempt, fingerprints, prints } as const;
    const placed = await ports.fingerprint(submissionId, command, context);
    if (placed === null) return { matches: [], policy };
    if (!(await ports.progress.reached(placed.position, SHOW_MS)))
      throw new PassingFailure('the fraud index does not show the submission’s fingerprints yet');
    const found = await Promise.all(
      placed.fingerprints
        .filter(({ checkType }) => checkType !== 'near_duplicate_image')
        .map(async (own) => ({
          fingerprint: own,
          ...(await ports.index.before(own.value, placed.position)),
        })),
    );
    const near = await findNear(ports, hide, pages, placed.position, signal);
    return { matches: matchesOf(found, near, businessKey, () => `fm_${ports.ids.ulid()}`), policy };
  };
