import { requireCompany } from '../commands/administer.ts';
import { exportCollection } from '../evidence/collection/export.ts';
import type { CollectionFilter, Listed } from '../evidence/collection/format.ts';
import { counted } from '../kernel/counted.ts';
import type { After } from '../projections/engine/pages.ts';
import type { SubmissionSummary } from '../schemas/submissions.ts';
import { createCounter } from './bar.ts';
import { AnsweredNo, WrongUsage } from './commandLine.ts';
import { CommandFailed } from './failure.ts';
import { whileStoppable } from './signals.ts';
import type { Stores } from './stores.ts';
import { type Order, portsOf } from './writeEvidence.ts';

/**
 * Exports the evidence of every submission of a filter to a folder, or goes on with an export that was
 * stopped. Throws `AnsweredNo` where a submission has no package.
 */
export const writeCollection = async ({
  filter,
  ...order
}: Order & Readonly<{ filter: CollectionFilter }>): Promise<void> => {
  const { core, out, output } = order;
  const path = out ?? `evidence-${filter.companyId}`;
  if (path.toLowerCase().endsWith('.zip'))
    throw new WrongUsage('--out names the folder of the packages, no zip file.', 'intake audit export');
  await requireCompany(core.log, filter.companyId);
  const ports = { ...portsOf(order), head: core.log.head, list: listing(core) };
  const counter = createCounter(output, 'submissions');
  const made = await whileStoppable((signal) =>
    exportCollection(ports, path, filter, signal, counter.show).catch((error) => {
      throw signal.aborted
        ? new CommandFailed('cancelled', 'The export was stopped: the same command goes on with it.')
        : error;
    }),
  ).finally(counter.stop);
  const { index, kept, missing, refused } = made;
  for (const { submissionId, refused: why } of refused)
    output.notice(`${submissionId} has no package: ${why}`);
  if (missing > 0)
    output.notice(`${counted(missing, 'file')} missing or damaged in the store: the packages name them.`);
  const summary = { path, ...index, kept, missing, refused: refused.length };
  await output.answer(summary, () =>
    [
      `${path} holds the evidence of ${counted(index.count - refused.length, 'submission')}, signed with the key ${index.key}; ${kept} were there already.`,
      `To check it anywhere: intake audit verify ${path} --key PUBLICKEY (\`intake audit key\` prints the key).`,
    ].join('\n'),
  );
  if (refused.length > 0) throw new AnsweredNo();
};

const PAGE = 100;

/** The submissions of a filter, as the list of submissions has them; a page at a time. */
const listing = ({ submissions }: Pick<Stores['core'], 'submissions'>) =>
  async function* ({
    companyId,
    mode,
    workflow,
    status,
    from,
    until,
  }: CollectionFilter): AsyncGenerator<Listed> {
    const where = {
      ...{ companyId, mode },
      ...(workflow !== null && { slug: workflow }),
      ...(status !== null && { status }),
      ...(from !== null && { createdAfter: from }),
      ...(until !== null && { createdBefore: until }),
    };
    let after: After = null;
    do {
      const { items, next } = await submissions.rows(where, PAGE, after);
      for (const row of items) {
        const { id, submissionStatus } = JSON.parse(row) as SubmissionSummary;
        yield { submissionId: id, status: submissionStatus };
      }
      after = next;
    } while (after !== null);
  };
