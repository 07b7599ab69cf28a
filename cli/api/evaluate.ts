import { setTimeout as sleep } from 'node:timers/promises';
import { approvers } from '../../domain/evaluation/gate.ts';
import type { Of } from '../../kernel/schema.ts';
import type { EvaluationFigures, EvaluationWithReport, ShareInterval } from '../../schemas/evaluations.ts';
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
import { readJsonFile } from '../jsonFile.ts';
import { table } from '../output.ts';
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
type Figures = Of<typeof EvaluationFigures>;

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
  let answer = await read();
  try {
    while (show === undefined && answer.status === 'running') {
      counter.show(answer.total - answer.left, answer.total);
      await sleep(POLL_MS);
      answer = await read();
    }
  } finally {
    counter.stop();
  }
  await output.answer(answer, () => reportText(answer));
  if (show === undefined && answer.status !== 'completed') throw new AnsweredNo('it was stopped');
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

const reportText = async (answer: Answer): Promise<string> => {
  const { report, workflow, status, found, redacted, omitted } = answer;
  const { before, after, documents, checked } = report;
  const name = workflow.version === null ? 'the draft' : `version ${workflow.version}`;
  if (documents === 0) return `There is nothing to compare ${name} of ${workflow.slug} with.`;
  const fields = await table(report.after.fields, {
    FIELD: (field) => field.name,
    RIGHT: (field) => `${percent(field.right)} (${percent(rightOf(before, field.name))})`,
    EXACT: ({ exact }) => exact,
    NORMALISED: ({ normalised }) => normalised,
    MISSING: ({ missing }) => missing,
    WRONG: ({ wrong }) => wrong,
    [`WRONG AT ${report.reviewBelow}`]: ({ wrongSure }) => wrongSure,
  });
  return [
    `${workflow.slug}, ${name}, on ${documents} of ${found} approved submissions (${status}); in brackets as they were read when they came.`,
    ...(redacted + omitted > 0
      ? [`${redacted + omitted} are left out: redacted, without their files, or with a forced outcome.`]
      : []),
    ...(checked < documents
      ? [`A person approved ${checked} of them: of the others, what was read then counts as right.`]
      : []),
    '',
    fields,
    '',
    `approved without a person  ${ofBoth(before.approved, after.approved)}`,
    `of these wrong             ${ofBoth(before.wrongApproved, after.wrongApproved)}`,
    `read differently           ${report.differences.length} values`,
    `approved differently       ${report.approvals.length} submissions`,
    '',
    adviceText(report.advice),
    answer.evaluationId,
  ].join('\n');
};

const rightOf = ({ fields }: Figures, name: string) =>
  fields.find((field) => field.name === name)?.right ?? null;

type Interval = Of<typeof ShareInterval> | null;

const inPercent = (value: number): string => `${(value * 100).toFixed(1)} %`;
const percent = (interval: Interval): string => (interval ? inPercent(interval.share) : '-');
const withBounds = (interval: Interval): string =>
  interval ? `${percent(interval)}, from ${inPercent(interval.from)} to ${inPercent(interval.to)}` : '-';
const ofBoth = (before: Interval, after: Interval): string => `${withBounds(after)} (${withBounds(before)})`;

const adviceText = (advice: Answer['report']['advice']): string => {
  if (!advice) return '';
  const { threshold, reviews, maxWrong, needed, total } = advice;
  const goal = `at most ${inPercent(maxWrong)} wrong of what no person sees`;
  if (!threshold)
    return total < needed
      ? `No threshold can be advised for ${goal}: it takes ${needed} submissions without a wrong one, and there are ${total}.`
      : `No threshold holds for ${goal}.`;
  const { reviewBelow, approved, wrong } = threshold;
  return `For ${goal}, reviewBelow ${reviewBelow} holds with 95 % confidence (${wrong} of ${approved} wrong): reviews go from ${inPercent(reviews.before)} to ${inPercent(reviews.advised ?? 1)}.`;
};
