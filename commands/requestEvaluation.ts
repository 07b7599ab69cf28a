import { createHash } from 'node:crypto';
import { type EvaluationSet, evaluation, evaluationStream } from '../domain/evaluation/evaluation.ts';
import type { WorkflowDefinition } from '../domain/workflow.ts';
import type { WorkflowSettings } from '../domain/workflowSettings.ts';
import { pick } from '../kernel/pick.ts';
import type { Mode } from '../kernel/scope.ts';
import { type CommandPorts, type Context, type Handle, systemContext } from './handle.ts';

type Scope = Readonly<{ companyId: string; mode: Mode }>;

/** A version that is tried; `version`: null of a draft. */
export type Candidate = Readonly<{ definition: WorkflowDefinition; version: number | null }>;

type Ports = Readonly<{
  handle: Handle;
  /** What the company has set of a workflow. */
  settingsOf(companyId: string, slug: string): Promise<WorkflowSettings>;
  /** The approved submissions of a workflow that match, the newest of at most so many. */
  approved(
    scope: Scope,
    slug: string,
    set: EvaluationSet,
    max: number,
  ): Promise<readonly Readonly<{ id: string; isRedacted: boolean }>[]>;
}>;

/** A set that was approved before, or, of a `shadow`, this share of what is approved from now on. */
type Wanted = Readonly<{ set: EvaluationSet; shadow: Readonly<{ share: number }> | null }>;

/** Among so many submissions, the newest, a set is drawn. */
const MAX_SEARCHED = 5_000;

/**
 * Requests that a candidate is tried on approved submissions, which the seed draws; a worker reads them
 * (`runEvaluation`). `ulid` names the evaluation. Throws `StoreUnavailable`.
 */
export const requestEvaluation =
  ({ handle, settingsOf, approved }: Ports) =>
  async (scope: Scope, candidate: Candidate, wanted: Wanted, ulid: string, context: Context) => {
    const { definition, version } = candidate;
    const { set, shadow } = wanted;
    const { slug } = definition;
    const evaluationId = `evl_${ulid}`;
    const matching = shadow ? [] : await approved(scope, slug, set, MAX_SEARCHED);
    const usable = matching.filter(({ isRedacted }) => !isRedacted).map(({ id }) => id);
    const request = {
      ...{ evaluationId, ...scope, slug, version, definition, set },
      settings: await settingsOf(scope.companyId, slug),
      found: matching.length,
      redacted: matching.length - usable.length,
      submissionIds: drawn(usable, set),
      ...(shadow ? { shadow } : {}),
    };
    const command = { type: 'RequestEvaluation', request } as const;
    const made = await handle(evaluation, evaluationStream(evaluationId), command, context);
    return { request: made.state ?? request, position: made.position, at: made.at };
  };

/** The order is that of the seed alone: with another submission more, the others stay in theirs. */
const drawn = (ids: readonly string[], { seed, size }: EvaluationSet): readonly string[] =>
  ids
    .map((id) => ({ id, order: orderOf(seed, id) }))
    .sort((one, other) => (one.order < other.order ? -1 : 1))
    .slice(0, size)
    .map(({ id }) => id);

/** By this the submissions of a set are drawn: 64 hexadecimal digits, as good as random. */
const orderOf = (seed: number, id: string): string =>
  createHash('sha256').update(`${seed} ${id}`).digest('hex');

/** An open shadow, as the read models have it. */
type Shadow = Scope &
  Readonly<{ id: string; slug: string; set: EvaluationSet; share: number | null; createdAt: string }>;

type ShadowPorts = Pick<CommandPorts, 'handle' | 'ids'> &
  Readonly<{
    /** The identifiers of what was approved, as `approved` has it. */
    approvedIds(scope: Scope, slug: string, set: EvaluationSet, max: number): Promise<readonly string[]>;
  }>;

/**
 * Has a shadow read its share of what was approved since it began (evaluations-18). Nothing where there is
 * nothing new. Throws `StoreUnavailable`.
 */
export const extendShadow =
  ({ handle, approvedIds, ids }: ShadowPorts) =>
  async ({ id, slug, set, share, createdAt, ...scope }: Shadow): Promise<void> => {
    const since = { ...set, createdAfter: createdAt };
    const matching = await approvedIds(pick(scope, 'companyId', 'mode'), slug, since, MAX_SEARCHED);
    const submissionIds = matching
      .filter((submissionId) => shareOf(orderOf(set.seed, submissionId)) < (share ?? 0))
      .toReversed();
    if (submissionIds.length === 0) return;
    const command = { type: 'ExtendEvaluation', submissionIds } as const;
    await handle(evaluation, evaluationStream(id), command, systemContext('evaluation', ids));
  };

/** Where the order of a submission lies between 0 and 1. */
const shareOf = (order: string): number => Number.parseInt(order.slice(0, 8), 16) / 2 ** 32;
