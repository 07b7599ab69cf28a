import type { WorkflowContract, WorkflowItem } from '../../client/index.ts';
import { limit, slug, versionNumber } from '../arguments.ts';
import { type Command, group } from '../commandLine.ts';
import { type Columns, printable, table } from '../output.ts';
import { onService, overHttp, pageSize, type Service, showRows } from '../overHttp.ts';

/** `intake workflows …`: the workflows that the company may use. */
export const addWorkflowReads = (program: Command): void => {
  const workflows = group(program, 'workflows', 'the workflows that your company may use');
  overHttp(workflows, 'list', 'show the workflows that your company may use', ['intake workflows list'])
    .option('--limit <count>', 'how many at most', limit, 100)
    .action(onService(list));
  overHttp(workflows, 'show', 'show which files a workflow takes, and which fields it gives', [
    'intake workflows show receipt',
    'intake workflows show receipt 1 --json | jq .outputJsonSchema',
  ])
    .argument('<slug>', 'which workflow', slug)
    .argument('[version]', 'which version; the newest without it', versionNumber)
    .action(onService(show));
};

const columns: Columns<WorkflowItem> = {
  SLUG: (workflow) => workflow.slug,
  NAME: ({ name }) => name,
  VERSION: ({ version }) => version,
  PUBLISHED: ({ publishedAt }) => publishedAt,
};

const list = async ({ intake, output }: Service, { limit }: Readonly<{ limit: number }>): Promise<void> => {
  const rows = intake.list('/api/v1/workflows', { query: { limit: pageSize(limit) } });
  await showRows(output, rows, limit, columns, 'Your company may use no workflow yet.');
};

const show = async ({ intake, output }: Service, slug: string, given?: number): Promise<void> => {
  const version = given ?? (await intake.get('/api/v1/workflows/{slug}', { path: { slug } })).version;
  const path = { slug, version };
  const contract = await intake.get('/api/v1/workflows/{slug}/versions/{version}', { path });
  await output.answer(contract, () => contractText(contract));
};

const contractText = async ({ workflow, version, upload, outputSchema }: WorkflowContract): Promise<string> =>
  [
    `${workflow.slug}, version ${version}: ${printable(workflow.name)}`,
    ...Object.entries(upload).map(([name, value]) => `${name.padEnd(18)}${printable(String(value ?? '-'))}`),
    '',
    await table(outputSchema, {
      FIELD: ({ name }) => name,
      TYPE: ({ type }) => type,
      REQUIRED: ({ required }) => (required ? 'yes' : 'no'),
      LABEL: ({ label }) => label,
    }),
  ].join('\n');
