import type { Context } from '../../commands/handle.ts';
import type { Candidate, requestEvaluation } from '../../commands/requestEvaluation.ts';
import type { Evaluation as State } from '../../domain/evaluation/evaluation.ts';
import type { Position } from '../../kernel/event.ts';
import { actorText } from '../../kernel/event.ts';
import type { Fault } from '../../kernel/fault.ts';
import { faultsUnder } from '../../kernel/fault.ts';
import { pick } from '../../kernel/pick.ts';
import { type EvaluationDocument, type evaluationQueries, requested } from '../../projections/evaluations.ts';
import type { workflowQueries } from '../../projections/workflows.ts';
import { definitionProblems } from '../../schemas/definitionProblems.ts';
import { Evaluation, EvaluationPage, RequestEvaluation } from '../../schemas/evaluations.ts';
import { cursor, evaluationId, limit } from '../../schemas/parameters.ts';
import { type WorkflowDefinition, withDefaults } from '../../schemas/workflowDefinition.ts';
import { actorOf } from '../engine/access/caller.ts';
import { invalid } from '../engine/problems/problem.ts';
import { pageOf } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext } from './caller.ts';
import { evaluationReports, type OneRequest } from './evaluationReports.ts';

export type EvaluationPorts = ReturnType<typeof evaluationQueries> &
  Readonly<{
    request: ReturnType<typeof requestEvaluation>;
    workflows: Pick<ReturnType<typeof workflowQueries>, 'find' | 'version'>;
    /** Pauses, resumes or cancels one. */
    change(
      evaluationId: string,
      type: 'PauseEvaluation' | 'ResumeEvaluation' | 'CancelEvaluation',
      context: Context,
    ): Promise<Readonly<{ state: State | null; position: Position; at: string }>>;
    /** One as the log has it. */
    current(evaluationId: string): Promise<State | null>;
  }>;

const common = { access: 'workflows.evaluate' } as const;
const path = '/api/v1/evaluations';
const one = { path: `${path}/{evaluationId}`, parameters: { evaluationId } } as const;

/** Versions of workflows tried on approved submissions (evaluations-1). */
export const evaluationRoutes = (ports: EvaluationPorts): readonly Route[] => [
  requestRoute(ports),
  listRoute(ports),
  ...evaluationReports(ports, { ...common, ...one }, found(ports), answerOf),
  changeRoute(ports, 'pause', 'Stop reading until it is resumed; documents are read at once anyway'),
  changeRoute(ports, 'resume', 'Go on with an evaluation that was paused'),
  changeRoute(ports, 'cancel', 'End an evaluation; what was read stays in its report'),
];

const requestRoute = (ports: EvaluationPorts): Route =>
  route({
    ...common,
    name: 'requestEvaluation',
    summary: 'Try a version of a workflow, or a draft, on approved submissions',
    description:
      'Their files are read again, behind all documents, and compared with what people made of them. Publishes nothing and changes no submission. The answer is the evaluation to watch.',
    method: 'POST',
    path,
    body: RequestEvaluation,
    answers: { 202: Evaluation },
  })({
    check: ({ body: { definition, workflow, set, shadow } }) => {
      if (Boolean(definition) === Boolean(workflow))
        return [fault('/workflow', 'must be there, or a definition, and not both')];
      if (shadow && (set?.createdAfter || set?.createdBefore))
        return [fault('/set', 'has no times of a shadow: it has what is approved from now on')];
      return definition ? faultsUnder('/definition', definitionProblems(definition)) : [];
    },
    run: async ({ body, ...request }) => {
      const { caller, reserved } = request;
      const candidate = await candidateOf(ports, caller.companyId, body);
      if (typeof candidate.definition.processing.extractor === 'object') throw invalid([ELSEWHERE]);
      const { createdAfter, createdBefore, approvedBy, size, seed } = body.set ?? {};
      const set = {
        ...{ createdAfter: timeOf(createdAfter), createdBefore: timeOf(createdBefore) },
        ...{ approvedBy: approvedBy ?? 'anybody', size: size ?? 300, seed: seed ?? 1 },
      };
      const scope = pick(caller, 'companyId', 'mode');
      const wanted = { set, shadow: body.shadow ?? null };
      const made = await ports.request(scope, candidate, wanted, reserved.ulid, commandContext(request));
      const document = requested(made.request, actorOf(caller), made.at);
      return { status: 202, position: made.position, body: answerOf(document) };
    },
  });

const fault = (pointer: string, detail: string): Fault => ({ pointer, detail });
const ELSEWHERE = fault(
  '/definition/processing/extractor',
  'must be `document` or `json`: nothing is sent to a server for an evaluation',
);

/** In the form of stored times, which compare as text. */
const timeOf = (given: string | null | undefined): string | null =>
  given ? new Date(given).toISOString() : null;

type Asked = Readonly<{
  definition?: object | null;
  workflow?: Readonly<{ slug: string; version: number }> | null;
}>;

/** Throws 422 where it is not of a workflow of the company. */
const candidateOf = async (
  { workflows }: EvaluationPorts,
  companyId: string,
  { definition, workflow }: Asked,
): Promise<Candidate> => {
  const draft = definition ? withDefaults(definition as WorkflowDefinition) : null;
  const slug = draft?.slug ?? workflow?.slug ?? '';
  if ((await workflows.find(companyId, slug)) === null)
    throw invalid([
      fault(`/${draft ? 'definition' : 'workflow'}/slug`, 'must be that of a workflow of the company'),
    ]);
  if (draft) return { definition: draft, version: null };
  const version = await workflows.version(slug, workflow?.version ?? 0);
  if (!version) throw invalid([fault('/workflow/version', 'must be a version that was published')]);
  const { workflowId: _w, publishedAt: _at, publishedBy: _by, passage: _, ...published } = version;
  const { version: number, ...tried } = published;
  return { definition: tried, version: number };
};

const listRoute = ({ listOf }: EvaluationPorts): Route =>
  route({
    ...common,
    name: 'listEvaluations',
    summary: 'List the evaluations of the company, newest first',
    description: 'Those of the company and mode, whoever requested them.',
    method: 'GET',
    path,
    query: { cursor, limit },
    answers: { 200: EvaluationPage },
  })({
    run: async ({ caller, query }) => {
      const { companyId, mode } = caller;
      const read = (size: number, after: Parameters<typeof listOf>[3]) =>
        listOf(companyId, mode, size, after);
      return {
        status: 200,
        body: await pageOf(query, { list: 'evaluations', companyId, mode }, read, answerOf),
      };
    },
  });

const found =
  ({ find }: EvaluationPorts) =>
  async ({ caller, parameters }: OneRequest): Promise<EvaluationDocument | null> => {
    const document = await find(parameters.evaluationId);
    return document && document.companyId === caller.companyId && document.mode === caller.mode
      ? document
      : null;
  };

const COMMANDS = {
  pause: 'PauseEvaluation',
  resume: 'ResumeEvaluation',
  cancel: 'CancelEvaluation',
} as const;

const changeRoute = (ports: EvaluationPorts, change: keyof typeof COMMANDS, summary: string): Route =>
  route({
    ...common,
    name: `${change}Evaluation`,
    summary,
    description: 'It may be repeated. One that is completed is a 409.',
    method: 'POST',
    path: `${one.path}/${change}`,
    parameters: one.parameters,
    answers: { 200: Evaluation },
    refusals: ['evaluation-ended'],
  })({
    find: found(ports),
    run: async ({ found: before, ...request }) => {
      const { state, position, at } = await ports.change(
        before.id,
        COMMANDS[change],
        commandContext(request),
      );
      const status = state?.status ?? before.status;
      const endedAt = status === 'cancelled' ? (before.endedAt ?? at) : before.endedAt;
      return { status: 200, position, body: answerOf({ ...before, status, endedAt }) };
    },
  });

const answerOf = (document: EvaluationDocument): Evaluation => ({
  evaluationId: document.id,
  ...pick(document, 'status', 'set', 'found', 'redacted', 'total', 'read', 'omitted', 'left'),
  workflow: pick(document, 'slug', 'version'),
  shadow: document.share === null ? null : { share: document.share },
  actor: actorText(document.actor),
  ...pick(document, 'createdAt', 'endedAt'),
});
