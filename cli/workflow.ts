import type { WorkflowRow } from '../projections/workflows.ts';
import type { WorkflowDefinition } from '../schemas/workflowDefinition.ts';
import { companyId, slug } from './arguments.ts';
import { type Command, type Common, group, leaf } from './commandLine.ts';
import { CommandFailed } from './failure.ts';
import { readJsonFile } from './jsonFile.ts';
import type { Columns } from './output.ts';
import type { Runtime } from './runtime.ts';
import { withStores } from './stores.ts';

/** `intake workflow …`: what is asked for in a submission, and who may send it. */
export const addWorkflowCommands = (program: Command, runtime: Runtime): void => {
  const workflow = group(
    program,
    'workflow',
    'workflows: what to send, what to read from it, and how to judge it',
  );
  leaf(workflow, 'publish', 'publish a definition (JSON) as the next version of its slug', [
    'intake workflow publish receipt.json',
    'intake workflow publish receipt.json --json | jq .version',
  ])
    .argument('<file>', 'the definition: docs/workflows.md')
    .action(publish(runtime));
  leaf(workflow, 'assign', 'let a company open sessions', [
    'intake workflow assign receipt --company cmp_01hv6x3m8q2r5t7w9y0a1b2c3d',
  ])
    .argument('<slug>', 'a published workflow', slug)
    .requiredOption('--company <id>', 'which company', companyId)
    .action(assigning(runtime, true));
  leaf(workflow, 'unassign', 'stop new sessions of a company; open ones continue', [
    'intake workflow unassign receipt --company cmp_01hv6x3m8q2r5t7w9y0a1b2c3d',
  ])
    .argument('<slug>', 'a published workflow', slug)
    .requiredOption('--company <id>', 'which company', companyId)
    .action(assigning(runtime, false));
  leaf(workflow, 'list', 'show the newest version of each workflow and who may use it', [
    'intake workflow list',
    'intake workflow list --json',
  ]).action(list(runtime));
};

const publish =
  (runtime: Runtime) =>
  async (file: string, options: Common): Promise<void> => {
    const { definitionProblems } = await import('../schemas/definitionProblems.ts');
    const { withDefaults } = await import('../schemas/workflowDefinition.ts');
    const value = readJsonFile(file);
    const faults = definitionProblems(value, await runtime.endpointRules());
    if (faults.length > 0) {
      const what = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
      throw new CommandFailed(
        'invalid-definition',
        `${file} has ${what}; nothing was published.`,
        null,
        faults,
      );
    }
    const { patternNotes } = await import('../schemas/patternNotes.ts');
    const notes = patternNotes(value as WorkflowDefinition);
    const definition = withDefaults(value as WorkflowDefinition);
    await withStores(
      runtime,
      options,
      async ({ core, output, context, visible }) => {
        const { version, position } = await core.administer.publishWorkflow(definition, context);
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
  (runtime: Runtime, assigned: boolean) =>
  (workflow: string, options: Common & Readonly<{ company: string }>): Promise<void> =>
    withStores(runtime, options, async ({ core, output, context, visible }) => {
      const { assignWorkflow, unassignWorkflow } = core.administer;
      const change = assigned ? assignWorkflow : unassignWorkflow;
      await visible(await change(workflow, options.company, context));
      await output.answer({ slug: workflow, companyId: options.company, assigned }, () =>
        assigned
          ? `${options.company} may open sessions of ${workflow}.`
          : `${options.company} opens no new sessions of ${workflow}.`,
      );
    });

const columns: Columns<WorkflowRow> = {
  SLUG: (workflow) => workflow.slug,
  NAME: ({ name }) => name,
  VERSION: ({ version }) => version,
  PUBLISHED: ({ publishedAt }) => publishedAt,
  COMPANIES: ({ companies }) => companies.join(', ') || null,
};

const list =
  (runtime: Runtime) =>
  (options: Common): Promise<void> =>
    withStores(runtime, options, async ({ core, output, upToDate }) => {
      await upToDate();
      const rows = await core.workflows.all();
      const empty = `No workflow is published in ${core.locations.all} yet. Publish one: intake workflow publish FILE`;
      await output.list(rows, columns, empty);
    });
