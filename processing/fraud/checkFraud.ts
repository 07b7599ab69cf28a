import type { fingerprintSubmission } from '../../commands/fingerprintSubmission.ts';
import type { Context } from '../../commands/handle.ts';
import type { HashedFile } from '../../domain/fraud/check.ts';
import {
  checksOf,
  type FraudCheckType,
  fraudChecks,
  type ListedCheck,
  traitsOf,
} from '../../domain/fraud/checks.ts';
import { type FoundByPages, type FoundByTrait, matchesOf } from '../../domain/fraud/matches.ts';
import { type FingerprintedPage, pagesToCompare } from '../../domain/fraud/pages.ts';
import type { Fingerprint } from '../../domain/submission/fingerprints.ts';
import type { Result } from '../../domain/submission/result.ts';
import type { Submission } from '../../domain/submission/state.ts';
import type { WorkflowVersion } from '../../domain/workflow.ts';
import type { Position } from '../../kernel/event.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Mode } from '../../kernel/scope.ts';
import type { Progress } from '../../projections/engine/progress.ts';
import type { fraudQueries } from '../../projections/fraudIndex.ts';
import type { EventLog } from '../../stores/events/log.ts';
import type { Processor } from '../engine/processor.ts';
import { TransientFailure } from '../errors.ts';
import { findSimilar } from './findSimilar.ts';

export type FraudPorts = Readonly<{
  fingerprint: ReturnType<typeof fingerprintSubmission>;
  index: ReturnType<typeof fraudQueries>;
  progress: Pick<Progress, 'reached'>;
  ids: Ids;
  log: Pick<EventLog, 'load'>;
  processor: Pick<Processor, 'compare'>;
  /** Reports how many pairs of pages were not compared: over budget, or for a broken fingerprint. */
  onSkipped(pairs: number): void;
  /** The HMAC (hex) of a trait: the log holds no hash that anybody could recognise. */
  hide(checkType: FraudCheckType, companyId: string, mode: Mode, text: string): string;
}>;

/** A trait's value in the index, for one company and mode. */
export type Hide = (check: ListedCheck, text: string) => string;

type Extracted = Extract<Result, { kind: 'extracted' }>;
export type CheckFraud = (
  submission: Submission,
  version: WorkflowVersion,
  read: Readonly<{
    files: readonly HashedFile[];
    pages: readonly FingerprintedPage[];
    extraction: Extracted['extraction'];
  }>,
  context: Context,
  signal: AbortSignal,
) => Promise<Extracted['fraud']>;

/** How long the index may take to have the fingerprints that were just appended, in ms. */
const INDEX_MS = 5_000;

/**
 * The matches of a submission whose data were read, null for a version without checks: appends its
 * fingerprints, waits until the index has them, and looks up what came first in the log, so that of
 * duplicates processed at the same moment each one but the first matches another (fraud-8). Throws
 * `TransientFailure` when the index is late, and `ProcessingAttemptSuperseded`.
 */
export const checkFraud =
  (ports: FraudPorts): CheckFraud =>
  async ({ routing, round, attempt }, version, { files, pages: all, extraction }, context, signal) => {
    const { checks, businessKey, policy: answers, ...lines } = version.processing.fraud;
    if (checks.length === 0) return null;
    const policy = { ...lines, ...(answers ? { answers } : {}) };
    const { submissionId, companyId, mode, keyId } = routing;
    const hide: Hide = ({ type, digits }, text) => ports.hide(type, companyId, mode, text).slice(0, digits);
    const { outputSchema } = version;
    const pages = pagesToCompare(all);
    const material = { keyId, outputSchema, businessKey, files, data: extraction.extractedData, pages };
    const fingerprints = traitsOf(version, material).map(({ check, text, files: named }) => ({
      checkType: check.type,
      value: hide(check, text),
      files: named,
    }));
    const prints = pages.map(({ visual }) => visual);
    const command = { type: 'RecordFingerprints', round, attempt, fingerprints, prints } as const;
    const placed = await ports.fingerprint(submissionId, command, context);
    if (placed === null) return { matches: [], policy };
    const { position } = placed;
    if (!(await ports.progress.reached(position, INDEX_MS)))
      throw new TransientFailure('the fraud index does not have the submission’s fingerprints yet');
    const found = await findByTraits(ports, placed.fingerprints, position);
    const similar: FoundByPages[] = [];
    for (const check of checksOf(version).filter(({ match }) => match.by === 'pages'))
      similar.push(...(await findSimilar(ports, check, hide, pages, position, signal)));
    return { matches: matchesOf(found, similar, businessKey, () => `fm_${ports.ids.ulid()}`), policy };
  };

const findByTraits = (
  { index }: Pick<FraudPorts, 'index'>,
  fingerprints: readonly Fingerprint[],
  position: Position,
): Promise<readonly FoundByTrait[]> =>
  Promise.all(
    fingerprints.flatMap(({ checkType, value, files }) => {
      const check = fraudChecks.find(({ type, match }) => type === checkType && match.by === 'trait');
      return check ? [index.before(value, position).then((found) => ({ check, files, ...found }))] : [];
    }),
  );
