import type { Decision } from '../../client/index.ts';
import { isText } from '../../fieldTypes/all.ts';
import { assignment, revision, submission } from '../arguments.ts';
import { type Command, WrongUsage } from '../commandLine.ts';
import { given, onService, overHttp, type Service } from '../overHttp.ts';

/** `intake approve`, `reject` and `cancel`: the decisions on a submission. */
export const addReviewCommands = (program: Command): void => {
  decision(program, 'approve', 'approve a submission in review', [
    `intake approve ${EXAMPLE}`,
    `intake approve ${EXAMPLE} --correct total=12.50 --correct company="ACME Ltd"`,
    `intake approve ${EXAMPLE} --if-match 7`,
  ])
    .option('--comment <text>', 'what is noted with it')
    .option(
      '--correct <field=value>',
      'a corrected value, also several times; nothing after = clears',
      corrections,
    )
    .action(onService(approve));
  for (const [verb, about] of [
    ['reject', 'reject a submission in review, finally'],
    ['cancel', 'cancel a submission that has not been approved'],
  ] as const)
    decision(program, verb, about, [`intake ${verb} ${EXAMPLE} --reason "not ours"`])
      .option('--reason <text>', 'why')
      .action(onService(refuse(verb)));
};

const EXAMPLE = 'sub_01hv6x3m8q2r5t7w9y0a1b2c3d';

const decision = (...given: Parameters<typeof overHttp>): Command =>
  overHttp(...given)
    .argument('<submission>', 'its identifier, or its session’s', submission)
    .option('--if-match <revision>', 'only while it has this revision, as `submissions show` says', revision);

type Corrections = Readonly<Record<string, string>>;
type Condition = Readonly<{ ifMatch?: string }>;

const corrections = (text: string, before: Corrections = {}): Corrections => ({
  ...before,
  ...assignment(text),
});

const approve = async (
  { intake, output }: Service,
  submissionId: string,
  { comment, correct, ifMatch }: Condition & Readonly<{ comment?: string; correct?: Corrections }>,
): Promise<void> => {
  const corrections = correct && (await typed(intake, submissionId, correct));
  const body = given({ comment, corrections });
  const path = { submissionId };
  const made = await intake.post('/api/v1/submissions/{submissionId}/approve', {
    path,
    body,
    ...given({ ifMatch }),
  });
  await output.answer(made, () => decisionText(made));
};

const refuse =
  (verb: 'reject' | 'cancel') =>
  async (
    { intake, output }: Service,
    submissionId: string,
    { reason, ifMatch }: Condition & Readonly<{ reason?: string }>,
  ): Promise<void> => {
    const body = given({ reason });
    const path = { submissionId };
    const made = await intake.post(`/api/v1/submissions/{submissionId}/${verb}`, {
      path,
      body,
      ...given({ ifMatch }),
    });
    await output.answer(made, () => decisionText(made));
  };

const decisionText = ({ submissionId, submissionStatus }: Decision): string =>
  submissionStatus === 'review'
    ? `${submissionId} stays in review until somebody else decides the same.`
    : `${submissionId} is ${submissionStatus}.`;

/** The corrections in the types of the workflow's fields; nothing is null. The service judges them. */
const typed = async ({ get }: Service['intake'], submissionId: string, given: Corrections) => {
  const { workflow } = await get('/api/v1/submissions/{submissionId}', { path: { submissionId } });
  const path = { slug: workflow.slug, version: workflow.version };
  const { outputSchema } = await get('/api/v1/workflows/{slug}/versions/{version}', { path });
  const typeOf = (field: string) => outputSchema.find(({ name }) => name === field)?.type ?? 'number';
  const valueIn = (field: string, text: string) => {
    const type = typeOf(field);
    return type === 'table' ? rows(field, text) : isText(type) ? text : plain(text);
  };
  return Object.fromEntries(
    Object.entries(given).map(([field, text]) => [field, text === '' ? null : valueIn(field, text)]),
  );
};

/** The rows of a table, which are given as JSON. Throws `WrongUsage` for a text that is none. */
const rows = (field: string, text: string) => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WrongUsage(
      `${field} is a table: give its rows as JSON, ${(error as Error).message}`,
      'approve',
    );
  }
};

/** A number, true or false; anything else stays a text. */
const plain = (text: string): string | number | boolean => {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
};
