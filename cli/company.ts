import type { CompanyDocument } from '../projections/companies.ts';
import { collect } from '../projections/engine/pages.ts';
import { name } from './arguments.ts';
import { type Command, group, leaf } from './commandLine.ts';
import type { Columns } from './output.ts';
import type { Runtime } from './runtime.ts';
import { onStores, type Stores } from './stores.ts';

/** `intake company …`: the customers of the platform. */
export const addCompanyCommands = (program: Command, runtime: Runtime): void => {
  const company = group(program, 'company', 'companies: each has its own workflows, keys and submissions');
  leaf(company, 'create', 'make a company', [
    'intake company create --name "Acme Ltd"',
    'intake company create --name Acme --json | jq -r .id',
  ])
    .requiredOption('--name <name>', 'its name, for people', name)
    .action(onStores(runtime, create, { create: true }));
  leaf(company, 'list', 'show the companies, newest first', [
    'intake company list',
    'intake company list --json',
  ]).action(onStores(runtime, list));
};

const create = async (
  { core, output, context, visible }: Stores,
  options: Readonly<{ name: string }>,
): Promise<void> => {
  const { id, position } = await core.administer.createCompany(options.name, context);
  await visible(position);
  await output.answer(
    { id, name: options.name },
    () => `Made the company ${id}.\nNext: intake workflow assign SLUG --company ${id}`,
  );
};

const columns: Columns<CompanyDocument> = {
  ID: ({ id }) => id,
  NAME: (company) => company.name,
  CREATED: ({ createdAt }) => createdAt,
};

const list = async ({ core, output, upToDate }: Stores): Promise<void> => {
  await upToDate();
  const { items } = await collect(core.companies.list);
  const empty = `There is no company in ${core.locations.all} yet. Make one: intake company create --name NAME`;
  await output.list(items, columns, empty);
};
