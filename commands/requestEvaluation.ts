import { createHash } from 'node:crypto';
import { type EvaluationSet, evaluation, evaluationStream } from '../domain/evaluation/evaluation.ts';
import type { WorkflowDefinition } from '../domain/workflow.ts';
import type { WorkflowSettings } from '../domain/workflowSettings.ts';
import type { Mode } from '../kernel/scope.ts';
import type { Context, Handle } from './handle.ts';

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

/** Among so many submissions, the newest, a set is drawn. */
export const MAX_SEARCHED = 5_000;

/**
 * Requests that a candidate is tried on approved submissions, which the seed draws; a worker reads them
 * (`runEvaluation`). `ulid` names the evaluation. Throws `StoreUnavailable`.
 */
export const requestEvaluation =
  ({ handle, settingsOf, approved }: Ports) =>
  async (scope: Scope, candidate: Candidate, set: EvaluationSet, ulid: string, context: Context) => {
    const { definition, version } = candidate;
    const { slug } = definition;
    const evaluationId = `evl_${ulid}`;
    const matching = await approved(scope, slug, set, MAX_SEARCHED);
    const usable = matching.filter(({ isRedacted }) => !isRedacted).map(({ id }) => id);
    const request = {
      ...{ evaluationId, ...scope, slug, version, definition, set },
      settings: await settingsOf(scope.companyId, slug),
      found: matching.length,
      redacted: matching.length - usable.length,
      submissionIds: drawn(usable, set),
    };
    const command = { type: 'RequestEvaluation', request } as const;
    const made = await handle(evaluation, evaluationStream(evaluationId), command, context);
    return { request: made.state ?? request, position: made.position, at: made.at };
  };

/** The order is that of the seed alone: with another submission more, the others stay in theirs. */
const drawn = (ids: readonly string[], { seed, size }: EvaluationSet): readonly string[] =>
  ids
    .map((id) => ({ id, order: createHash('sha256').update(`${seed} ${id}`).digest('hex') }))
    .sort((one, other) => (one.order < other.order ? -1 : 1))
    .slice(0, size)
    .map(({ id }) => id);
