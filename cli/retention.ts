import { requireCompany } from '../commands/administer.ts';
import { counted } from '../kernel/counted.ts';
import { type After, collect } from '../projections/engine/pages.ts';
import type { DueDocument } from '../projections/retained.ts';
import { companyId } from './arguments.ts';
import { type Command, group, leaf } from './commandLine.ts';
import { type Columns, table } from './output.ts';
import type { Runtime } from './runtime.ts';
import { onStores, type Stores } from './stores.ts';

/** `intake retention …`: how long what companies sent is kept. */
export const addRetentionCommands = (program: Command, runtime: Runtime): void => {
  const retention = group(program, 'retention', 'how long what companies sent is kept');
  leaf(retention, 'due', 'show what is due now by the retention of a company, the longest due first', [
    'intake retention due cmp_01hv6x3m8q2r5t7w9y0a1b2c3d',
  ])
    .argument('<company>', 'the company, by identifier', companyId)
    .action(onStores(runtime, due));
};

/** Rows that are shown: the counts say how many more there are. */
const MAX_SHOWN = 100;

type Row = Pick<DueDocument, 'id' | 'kind' | 'mode' | 'slug' | 'endedAt' | 'dueSince' | 'isHeld'>;

const columns: Columns<Row> = {
  ID: ({ id }) => id,
  KIND: ({ kind }) => kind,
  MODE: ({ mode }) => mode,
  WORKFLOW: ({ slug }) => slug,
  ENDED: ({ endedAt }) => endedAt,
  'DUE SINCE': ({ dueSince }) => dueSince,
  'LEGAL HOLD': ({ isHeld }) => (isHeld ? 'held' : ''),
};

const due = async ({ core, output, upToDate }: Stores, id: string): Promise<void> => {
  const found = await requireCompany(core.log, id);
  await upToDate();
  const { retention } = found;
  const of = { companyId: id, retention, now: core.clock.now() };
  const page = (limit: number, after: After) => core.retained.due(of, limit, after);
  const { items } = await collect(page, MAX_SHOWN);
  const counts = await core.retained.count(of);
  const data = items.map(({ id: submissionId, slug: workflow, kind, mode, endedAt, dueSince, isHeld }) => ({
    ...{ submissionId, kind, mode, workflow, endedAt, dueSince, isHeld },
  }));
  await output.answer({ data, counts, isEnforced: retention.isEnforced }, async () => {
    const summary = `${counted(counts.due, 'submission')} due, ${counts.held} more under a legal hold.`;
    const next = retention.isEnforced
      ? `A running server redacts at most ${retention.perDay} a day.`
      : 'The retention of the company is not enforced: nothing is redacted.';
    const rows = items.length === 0 ? [] : [await table(items, columns)];
    return [...rows, `${summary} ${next}`].join('\n');
  });
};
