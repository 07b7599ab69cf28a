import { readFile } from 'node:fs/promises';
import type { ForgottenAgain } from '../commands/forgetAgain.ts';
import { enterForgotten, type Forgotten, forgottenPages } from '../stores/ledger.ts';
import { AnsweredNo, type Command, group, leaf } from './commandLine.ts';
import { CommandFailed } from './failure.ts';
import type { Runtime } from './runtime.ts';
import { onStores, type Stores } from './stores.ts';

/** `intake restore-check` and `intake ledger …`: what was forgotten stays so after a restore. */
export const addRestoreCommands = (program: Command, runtime: Runtime): void => {
  leaf(program, 'restore-check', 'after a restore: forget again what the ledger says was forgotten', [
    'intake restore-check',
    'intake restore-check --ledger ledger.jsonl',
  ])
    .option('--ledger <file>', 'a copy of the ledger, by `intake ledger export`, whose entries are added')
    .action(onStores(runtime, check));
  const ledger = group(program, 'ledger', 'the ledger of destroyed sealing keys');
  leaf(ledger, 'export', 'print the ledger, a line of JSON for each entry: keep it apart from backups', [
    'intake ledger export > ledger.jsonl',
  ]).action(onStores(runtime, print));
};

const check = async (
  { core, runtime, output, upToDate }: Stores,
  { ledger }: Readonly<{ ledger?: string }>,
): Promise<void> => {
  const { tables } = core.documents;
  if (ledger !== undefined) for (const entry of await entriesOf(ledger)) await enterForgotten(tables, entry);
  const files = await runtime.openFiles();
  const found = await core.forgetAgain(files).always().finally(files.close);
  await upToDate();
  await output.answer(found, () => textOf(found));
  if (found.unmended.length > 0) throw new AnsweredNo();
};

const entriesOf = async (path: string): Promise<readonly Forgotten[]> => {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const entry = parsed(line);
    if (entry) return entry;
    throw new CommandFailed(
      'ledger-malformed',
      `Line ${index + 1} of ${path} is no entry of a ledger.`,
      EXPORTED,
    );
  });
};

const EXPORTED = 'Give a file that `intake ledger export` has printed.';

const parsed = (line: string): Forgotten | null => {
  try {
    const { subject, at, eventId } = JSON.parse(line) as Partial<Record<keyof Forgotten, unknown>>;
    const isEntry = [subject, at, eventId].every((member) => typeof member === 'string');
    return isEntry && !Number.isNaN(Date.parse(`${at}`)) ? ({ subject, at, eventId } as Forgotten) : null;
  } catch {
    return null;
  }
};

const textOf = ({ subjects, keys, requests, objects, unmended, rebuild }: ForgottenAgain): string =>
  [
    `${subjects} entries of the ledger. Again: ${keys} keys destroyed, ${requests} redactions requested, ${objects} objects removed.`,
    ...(rebuild ? ['Rebuild the read models, which may show more: intake projections rebuild --all'] : []),
    ...unmended.map((id) => `${id}: the log lacks it (it is older than the ledger), or it is on legal hold.`),
  ].join('\n');

const print = async ({ core }: Stores): Promise<void> => {
  for await (const page of forgottenPages(core.documents.tables))
    process.stdout.write(page.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
};
