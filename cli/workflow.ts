import { outputTypesOf } from '../domain/outputTypes.ts';
import type { CatalogDocument } from '../projections/workflowCatalog.ts';
import { companyId, evaluationId, slug, version } from './arguments.ts';
import { type Command, type Common, group, leaf } from './commandLine.ts';
import { readDefinition } from './definitionFile.ts';
import { CommandFailed } from './failure.ts';
import type { Columns } from './output.ts';
import type { Runtime } from './runtime.ts';
import { onStores, type Stores, withStores } from './stores.ts';

/** `intake workflow …`: what is asked for in a submission, and who may send it. */
export const addWorkflowCommands = (program: Command, runtime: Runtime): void => {
  const workflow = group(program, 'workflow', 'workflows: publish them, and let companies use them');
  leaf(workflow, 'publish', 'publish a definition (JSON) as the next version of its slug', [
    'intake workflow publish receipt.json',
    'intake workflow publish receipt.json --evaluation evl_01hv6x3m8q2r5t7w9y0a1b2c3d',
    'intake workflow publish receipt.json --json | jq .version',
  ])
    .argument('<file>', 'the definition: docs/workflows.md')
    .option('--evaluation <id>', 'the evaluation of it, for the gate of the newest version', evaluationId)
    .option('--force <reason>', 'publish it although that gate refuses it; the reason is kept')
    .action(publish(runtime));
  leaf(workflow, 'assign', 'let a company open sessions', [
    'intake workflow assign receipt --company cmp_01hv6x3m8q2r5t7w9y0a1b2c3d',
  ])
    .argument('<slug>', 'a published workflow', slug)
    .requiredOption('--company <id>', 'which company', companyId)
    .action(onStores(runtime, assigning(true)));
  leaf(workflow, 'unassign', 'stop new sessions of a company; open ones continue', [
    'intake workflow unassign receipt --company cmp_01hv6x3m8q2r5t7w9y0a1b2c3d',
  ])
    .argument('<slug>', 'a published workflow', slug)
    .requiredOption('--company <id>', 'which company', companyId)
    .action(onStores(runtime, assigning(false)));
  leaf(workflow, 'types', 'print the TypeScript type of the data that a workflow extracts', [
    'intake workflow types receipt > receipt.ts',
    'intake workflow types receipt --version 2',
  ])
    .argument('<slug>', 'a published workflow', slug)
    .option('--version <number>', 'of this version; of the newest unless told', version)
    .action(onStores(runtime, types));
  leaf(workflow, 'list', 'show the newest version of each workflow and who may use it', [
    'intake workflow list',
    'intake workflow list --json',
  ]).action(onStores(runtime, list));
};

type Publishing = Common & Readonly<{ evaluation?: string; force?: string }>;

const publish =
  (runtime: Runtime) =>
  async (file: string, options: Publishing): Promise<void> => {
    const { withDefaults } = await import('../schemas/workflowDefinition.ts');
    const given = await readDefinition(file, 'nothing was published', runtime.endpointRules);
    const { patternNotes } = await import('../schemas/patternNotes.ts');
    const notes = patternNotes(given);
    const definition = withDefaults(given);
    await withStores(
      runtime,
      options,
      async ({ core, output, context, visible }) => {
        const { evaluation, force } = options;
        const passing = { evaluationId: evaluation, force };
        const { version, position } = await core.administer.publishWorkflow(definition, context, passing);
        await visible(position);
        for (const { pointer, detail } of notes) output.notice(`${pointer} ${detail}.`);
        await output.answer(
          { slug: definition.slug, version, notes },
          () => `Published ${definition.slug}, version ${version}.`,
        );
      },
      { create: true },
    );
  };

const assigning =
  (assigned: boolean) =>
  async (
    { core, output, context, visible }: Stores,
    workflow: string,
    { company }: Readonly<{ company: string }>,
  ): Promise<void> => {
    const { assignWorkflow, unassignWorkflow } = core.administer;
    const change = assigned ? assignWorkflow : unassignWorkflow;
    await visible(await change(workflow, company, context));
    const verb = assigned ? 'may open sessions' : 'opens no new sessions';
    const answer = { slug: workflow, companyId: company, assigned };
    await output.answer(answer, () => `${company} ${verb} of ${workflow}.`);
  };

const types = async (
  { core, output, upToDate }: Stores,
  workflow: string,
  { version }: Readonly<{ version?: number }>,
): Promise<void> => {
  await upToDate();
  const { newest, version: versionOf } = core.workflows;
  const found = await (version === undefined ? newest(workflow) : versionOf(workflow, version));
  if (!found) {
    const what = version === undefined ? workflow : `version ${version} of ${workflow}`;
    throw new CommandFailed('workflow-not-found', `There is no ${what}.`, 'intake workflow list shows them.');
  }
  const text = outputTypesOf(found);
  await output.answer({ slug: workflow, version: found.version, types: text }, () => text.trimEnd());
};

const columns: Columns<CatalogDocument> = {
  SLUG: (workflow) => workflow.slug,
  NAME: ({ name }) => name,
  VERSION: ({ version }) => version,
  PUBLISHED: ({ publishedAt }) => publishedAt,
  COMPANIES: ({ companies }) => companies.join(', ') || null,
};

const list = async ({ core, output, upToDate }: Stores): Promise<void> => {
  await upToDate();
  const rows = await core.workflowCatalog.all();
  const empty = `No workflow is published in ${core.locations.all} yet. Publish one: intake workflow publish FILE`;
  await output.list(rows, columns, empty);
};
