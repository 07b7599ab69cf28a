import { setTimeout as sleep } from 'node:timers/promises';
import { approvers } from '../../domain/evaluation/gate.ts';
import type { Of } from '../../kernel/schema.ts';
import type { Evaluation, EvaluationWithReport } from '../../schemas/evaluations.ts';
import {
  evaluationId,
  oneOf,
  seed,
  setSize,
  shadowShare,
  share,
  since,
  slug,
  versionNumber,
} from '../arguments.ts';
import { createCounter } from '../bar.ts';
import { AnsweredNo, type Command, WrongUsage } from '../commandLine.ts';
import { evaluationText } from '../evaluationText.ts';
import { readJsonFile } from '../jsonFile.ts';
import { given, onService, overHttp, type Service } from '../overHttp.ts';

/** `intake evaluate`: a version of a workflow is tried on approved submissions. */
export const addEvaluateCommand = (program: Command): void => {
  overHttp(program, 'evaluate', 'try a version of a workflow, or a draft, on approved submissions', [
    'intake evaluate receipt',
    'intake evaluate receipt 2 --size 100',
    'intake evaluate --definition draft.json --since 90d --max-wrong 0.02',
    'intake evaluate --definition draft.json --shadow 0.1 --size 200',
    'intake evaluate --show evl_01hv6x3m8q2r5t7w9y0a1b2c3d',
    'intake evaluate receipt --json | jq .report.advice',
  ])
    .argument('[workflow]', 'its slug', slug)
    .argument('[version]', 'which version; the newest without it', versionNumber)
    .option('--definition <file>', 'a draft, in place of a published version')
    .option('--since <time>', 'only submissions since this time, or since so long ago, such as 90d', since)
    .option('--approved-by <whom>', 'person: only those that a person approved', oneOf(approvers))
    .option('--size <count>', 'how many at most', setSize)
    .option('--seed <number>', 'what draws them: the same draws the same', seed)
    .option('--shadow <share>', 'read along with this share of what is approved from now on', shadowShare)
    .option('--show <evaluation>', 'print the report of one that was requested before', evaluationId)
    .option('--max-wrong <share>', 'how much may be wrong of what no person sees', share)
    .action(onService(evaluate));
};

type Options = Readonly<{
  definition?: string;
  since?: string;
  approvedBy?: (typeof approvers)[number];
  size?: number;
  seed?: number;
  maxWrong?: number;
  shadow?: number;
  show?: string;
}>;
type Answer = Of<typeof EvaluationWithReport>;
type Row = Of<typeof Evaluation>;

const POLL_MS = 500;

/** Requests it, and waits for its end, but not of a shadow: it goes on where this command is ended. */
const evaluate = async (
  service: Service,
  workflow: string | undefined,
  version: number | undefined,
  options: Options,
): Promise<void> => {
  const { intake, output } = service;
  const { shadow, maxWrong, show } = options;
  const id = show ?? (await requestOf(service, workflow, version, options));
  if (shadow !== undefined) {
    const text = `${id} reads along with what is approved from now on. Its report: intake evaluate --show ${id}`;
    return output.answer({ evaluationId: id }, () => text);
  }
  const query = given({ maxWrong });
  const read = (): Promise<Answer> =>
    intake.get('/api/v1/evaluations/{evaluationId}', { path: { evaluationId: id }, query });
  const counter = createCounter(output, 'submissions read');
  try {
    while (show === undefined) {
      const { status, total, left } = (await listed(service, id)) ?? (await read());
      if (status !== 'running') break;
      counter.show(total - left, total);
      await sleep(POLL_MS);
    }
  } finally {
    counter.stop();
  }
  const answer = await read();
  await output.answer(answer, () => evaluationText(answer));
  if (show === undefined && answer.status !== 'completed') throw new AnsweredNo('it was stopped');
};

/** As the list has it, at whose head it stands: a report is made of all that was read. */
const listed = async ({ intake }: Service, id: string): Promise<Row | undefined> => {
  const { data } = await intake.get('/api/v1/evaluations', { query: { limit: 20 } });
  return data.find(({ evaluationId }) => evaluationId === id);
};

const requestOf = async (
  service: Service,
  workflow: string | undefined,
  version: number | undefined,
  { definition, since: createdAfter, approvedBy, size, seed, shadow }: Options,
): Promise<string> => {
  const candidate = await candidateOf(service, workflow, version, definition);
  const set = given({ createdAfter, approvedBy, size, seed });
  const body = { ...candidate, set, ...(shadow === undefined ? {} : { shadow: { share: shadow } }) };
  return (await service.intake.post('/api/v1/evaluations', { body })).evaluationId;
};

const candidateOf = async (
  { intake }: Service,
  workflow: string | undefined,
  version: number | undefined,
  file: string | undefined,
) => {
  if ((workflow === undefined) === (file === undefined))
    throw new WrongUsage(
      'say what: a workflow, a draft with --definition, or an evaluation with --show.',
      'intake evaluate',
    );
  if (file !== undefined) return { definition: (await readJsonFile(file)) as Record<string, unknown> };
  const path = { slug: workflow ?? '' };
  const newest = version ?? (await intake.get('/api/v1/workflows/{slug}', { path })).version;
  return { workflow: { slug: path.slug, version: newest } };
};
