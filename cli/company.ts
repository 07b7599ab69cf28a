import type { CompanyDocument } from '../projections/companies.ts';
import { collect } from '../projections/engine/pages.ts';
import { name } from './arguments.ts';
import { type Command, type Common, group, leaf } from './commandLine.ts';
import type { Columns } from './output.ts';
import type { Runtime } from './runtime.ts';
import { withStores } from './stores.ts';

/** `intake company …`: the customers of the platform. */
export const addCompanyCommands = (program: Command, runtime: Runtime): void => {
  const company = group(program, 'company', 'companies: each has its own workflows, keys and submissions');
  leaf(company, 'create', 'make a company', [
    'intake company create --name "Acme Ltd"',
    'intake company create --name Acme --json | jq -r .id',
  ])
    .requiredOption('--name <name>', 'its name, for people', name)
    .action(create(runtime));
  leaf(company, 'list', 'show the companies, newest first', [
    'intake company list',
    'intake company list --json',
  ]).action(list(runtime));
};

const create =
  (runtime: Runtime) =>
  (options: Common & Readonly<{ name: string }>): Promise<void> =>
    withStores(
      runtime,
      options,
      async ({ core, output, context, visible }) => {
        const { id, position } = await core.administer.createCompany(options.name, context);
        await visible(position);
        await output.answer(
          { id, name: options.name },
          () => `Made the company ${id}.\nNext: intake workflow assign SLUG --company ${id}`,
        );
      },
      { create: true },
    );

const columns: Columns<CompanyDocument> = {
  ID: ({ id }) => id,
  NAME: (company) => company.name,
  CREATED: ({ createdAt }) => createdAt,
};

const list =
  (runtime: Runtime) =>
  (options: Common): Promise<void> =>
    withStores(runtime, options, async ({ core, output, upToDate }) => {
      await upToDate();
      const { items } = await collect(core.companies.list);
      const empty = `There is no company in ${core.locations.all} yet. Make one: intake company create --name NAME`;
      await output.list(items, columns, empty);
    });
