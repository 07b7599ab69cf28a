import type { CompanyDocument } from '../projections/companies.ts';
import { collect } from '../projections/engine/pages.ts';
import { name } from './arguments.ts';
import { type Command, type Common, group, leaf } from './commandLine.ts';
import { type Columns, createOutput } from './output.ts';
import { withStores } from './stores.ts';

/** `intake company …`: the customers of the platform. */
export const addCompanyCommands = (program: Command): void => {
  const company = group(program, 'company', 'companies: each sees its own workflows, keys and submissions');
  leaf(company, 'create', 'make a company', [
    'intake company create --name "Acme Ltd"',
    'intake company create --name Acme --json | jq -r .id',
  ])
    .requiredOption('--name <name>', 'its name, for people', name)
    .action(create);
  leaf(company, 'list', 'show the companies, newest first', [
    'intake company list',
    'intake company list --json',
  ]).action(list);
};

const create = (options: Common & Readonly<{ name: string }>): Promise<void> => {
  const output = createOutput(options.json);
  return withStores(
    output,
    async ({ core, context, shown }) => {
      const { id, position } = await core.administer.createCompany(options.name, context);
      await shown(position);
      await output.answer(
        { id, name: options.name },
        () => `Made the company ${id}.\nNext: intake workflow assign SLUG --company ${id}`,
      );
    },
    { create: true },
  );
};

const columns: Columns<CompanyDocument> = {
  ID: ({ id }) => id,
  NAME: (company) => company.name,
  CREATED: ({ createdAt }) => createdAt,
};

const list = (options: Common): Promise<void> => {
  const output = createOutput(options.json);
  return withStores(output, async ({ core, upToDate }) => {
    await upToDate();
    const { items } = await collect(core.companies.list);
    const empty = `There is no company in ${core.places.all} yet. Make one: intake company create --name NAME`;
    await output.list(items, columns, empty);
  });
};
