import type { SubmissionDetail, SubmissionSummary } from '../../client/index.ts';
import { fraudStatuses } from '../../domain/submission/fraud.ts';
import { statuses } from '../../domain/submission/transitions.ts';
import type { submissionFilters } from '../../schemas/listFilters.ts';
import { limit, member, oneOf, submission } from '../arguments.ts';
import { type Command, group } from '../commandLine.ts';
import { type FilterOptions, filtersOf, withFilters } from '../listFilters.ts';
import { type Columns, printable, table } from '../output.ts';
import { given, onService, overHttp, pageSize, type Service, showRows } from '../overHttp.ts';
import { type GivenBasis, withBasis } from '../redactionBasis.ts';

/** `intake submissions list` and `show`; gives the group, to which operators' commands are added. */
export const addSubmissionReads = (program: Command): Command => {
  const submissions = group(
    program,
    'submissions',
    'submissions: list, show, redact, hold and release; for operators reprocess and sync',
  );
  submissions.commandsGroup('Over HTTP, with a key:');
  const listing = overHttp(submissions, 'list', 'show submissions, newest first', [
    'intake submissions list --status review',
    'intake submissions list --client-id order-1 --json | jq -r ".data[0].id"',
  ]);
  withFilters(listing, filters)
    .option('--limit <count>', 'how many at most', limit, 20)
    .action(onService(list));
  overHttp(submissions, 'show', 'show a submission: its fields, files, fraud matches and history', [
    'intake submissions show sub_01hv6x3m8q2r5t7w9y0a1b2c3d',
    'intake submissions show sub_01hv6x3m8q2r5t7w9y0a1b2c3d --json | jq .extractedData',
  ])
    .argument('<submission>', 'its identifier, or its session’s', submission)
    .action(onService(show));
  addRedactions(submissions);
  return submissions;
};

const EXAMPLE = 'sub_01hv6x3m8q2r5t7w9y0a1b2c3d';

const addRedactions = (submissions: Command): void => {
  const one = (...given: Parameters<typeof overHttp>) =>
    overHttp(...given).argument('<submission>', 'its identifier, or its session’s', submission);
  const redaction = one(submissions, 'redact', 'remove what is private of a submission, for ever', [
    `intake submissions redact ${EXAMPLE} --reason "article 17" --legal-basis erasure_request`,
    `intake submissions redact ${EXAMPLE} --reason "article 17" --legal-basis erasure_request --requested-by "ticket 4711"`,
  ]);
  withBasis(redaction).action(onService(redact));
  one(submissions, 'hold', 'keep a submission from redaction', [
    `intake submissions hold ${EXAMPLE} --reason "proceedings"`,
  ])
    .requiredOption('--reason <text>', 'why')
    .action(onService(hold));
  one(submissions, 'release', 'let a submission be redacted again', [
    `intake submissions release ${EXAMPLE}`,
  ]).action(onService(release));
};

/** The body of the request that its options say. */
export const redactionOf = ({ reason, legalBasis, requestedBy }: GivenBasis) => ({
  ...{ reason, legalBasis },
  ...given({ requestedBy }),
});

const redact = async (
  { intake, output }: Service,
  submissionId: string,
  options: GivenBasis,
): Promise<void> => {
  const made = await intake.post('/api/v1/submissions/{submissionId}/redact', {
    path: { submissionId },
    body: redactionOf(options),
  });
  await output.answer(made, () =>
    made.redaction === 'done'
      ? `${made.submissionId} is redacted.`
      : `${made.submissionId} shows nothing private any more; a running server removes it.`,
  );
};

const HOLD = '/api/v1/submissions/{submissionId}/legal-hold';

const hold = async (
  { intake, output }: Service,
  submissionId: string,
  { reason }: Readonly<{ reason: string }>,
): Promise<void> => {
  const made = await intake.post(HOLD, { path: { submissionId }, body: { reason } });
  await output.answer(
    made,
    () => `${made.submissionId} is kept since ${made.legalHold?.since}, as ${made.legalHold?.actor} says.`,
  );
};

const release = async ({ intake, output }: Service, submissionId: string): Promise<void> => {
  const { body } = await intake.request('delete', HOLD, { path: { submissionId } });
  await output.answer(body, () => `${body.submissionId} may be redacted.`);
};

/** What a list of submissions can be restricted to. */
export const filters = {
  q: ['--q <text>', 'only those with words that begin as these do, or values in a range such as 100..200'],
  status: ['--status <status>', 'only those of this status', oneOf(statuses)],
  workflow: ['--workflow <slug>', 'only those of this workflow'],
  fraudStatus: [
    '--fraud-status <status>',
    'only those of this fraud status',
    oneOf([...fraudStatuses, 'null'] as const),
  ],
  clientSubmissionId: ['--client-id <id>', 'only those with this clientSubmissionId'],
  batchRef: ['--batch <ref>', 'only those of this batch'],
  metadata: ['--metadata <name=value>', 'only those whose metadata have this member', member],
  createdAfter: null,
  createdBefore: null,
} as const satisfies FilterOptions<typeof submissionFilters>;

const columns: Columns<SubmissionSummary> = {
  ID: ({ id }) => id,
  STATUS: ({ submissionStatus }) => submissionStatus,
  WORKFLOW: ({ workflow }) => workflow.slug,
  FRAUD: ({ fraudStatus }) => fraudStatus,
  CONFIDENCE: ({ confidence }) => confidence?.toFixed(2) ?? null,
  CREATED: ({ createdAt }) => createdAt,
  'CLIENT ID': ({ clientSubmissionId }) => clientSubmissionId,
};

const list = async ({ intake, output }: Service, options: Readonly<{ limit: number }>): Promise<void> => {
  const { limit } = options;
  const query = { ...filtersOf(filters, options), limit: pageSize(limit) };
  const rows = intake.list('/api/v1/submissions', { query });
  await showRows(output, rows, limit, columns, 'There is no such submission.');
};

const show = async ({ intake, output }: Service, submissionId: string): Promise<void> => {
  const { body, etag } = await intake.request('get', '/api/v1/submissions/{submissionId}', {
    path: { submissionId },
  });
  const revision = Number(etag?.replaceAll('"', ''));
  await output.answer({ ...body, revision }, () => detailText(body, revision));
};

const detailText = async (detail: SubmissionDetail, revision: number): Promise<string> => {
  const { id, submissionStatus, fraudStatus, workflow, confidence, createdAt, clientSubmissionId } = detail;
  const facts = {
    ...{ id, status: submissionStatus, fraud: fraudStatus, workflow: `${workflow.slug} ${workflow.version}` },
    ...{ confidence, created: createdAt, 'client id': clientSubmissionId, batch: detail.batchRef, revision },
    'in review for': detail.reviewReasons.map(reasonText).join(', ') || null,
    reason: detail.failedReason ?? detail.rejectReason ?? detail.cancelReason,
  };
  const lines = Object.entries(facts).map(([name, value]) => `${name.padEnd(15)}${textOf(value ?? '-')}`);
  return [...lines, ...(await partsOf(detail))].join('\n');
};

const reasonText = ({ code, field, place }: SubmissionDetail['reviewReasons'][number]): string => {
  const what = place ? `page ${place.page} of ${place.fileId}` : field;
  return what === null ? code : `${code} (${what})`;
};

const partsOf = async (detail: SubmissionDetail): Promise<readonly string[]> => {
  const confidences = membersOf(detail.fieldConfidences);
  const fields = Object.entries(membersOf(detail.extractedData));
  const parts = [
    await titled(fields, {
      FIELD: ([name]) => name,
      VALUE: ([, value]) => (value === null ? null : textOf(value)),
      CONFIDENCE: ([name]) => (Object.hasOwn(confidences, name) ? textOf(confidences[name]) : null),
    }),
    await titled(detail.files, {
      FILE: ({ label }) => label,
      NAME: ({ fileName }) => fileName,
      TYPE: ({ mimeType }) => mimeType,
      BYTES: ({ fileSize }) => fileSize,
    }),
    await titled(detail.fraudMatches, matchColumns),
    await titled(detail.events, { EVENT: ({ type }) => type, AT: ({ occurredAt }) => occurredAt }),
  ];
  return parts.filter((part) => part !== '').map((part) => `\n${part}`);
};

/** A table of fraud matches. */
export const matchColumns: Columns<SubmissionDetail['fraudMatches'][number]> = {
  MATCH: ({ id }) => id,
  CHECK: ({ checkType }) => checkType,
  SCORE: ({ score }) => score,
  RESOLUTION: ({ resolution }) => resolution,
  RESEMBLES: ({ matchedSubmissionId }) => matchedSubmissionId,
};

const titled = async <R>(rows: readonly R[], columns: Columns<R>): Promise<string> =>
  rows.length === 0 ? '' : table(rows, columns);

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const textOf = (value: unknown): string =>
  printable(typeof value === 'string' ? value : JSON.stringify(value));
