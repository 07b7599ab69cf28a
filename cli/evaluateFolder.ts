import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Comparison } from '../domain/evaluation/judge.ts';
import type { WorkflowDefinition } from '../domain/workflow.ts';
import { createCounter } from './bar.ts';
import type { Common } from './commandLine.ts';
import { readDefinition } from './definitionFile.ts';
import { figuresText } from './evaluationText.ts';
import { CommandFailed } from './failure.ts';
import { readJsonFile } from './jsonFile.ts';
import { createOutput, table } from './output.ts';
import type { KnownDocument, Runtime } from './runtime.ts';

type Options = Common & Readonly<{ beside?: string; maxWrong?: number }>;

/**
 * `intake reader evaluate`: a definition is tried on a folder of documents whose truth is known, without a
 * service. Throws `CommandFailed`.
 */
export const evaluateFolder =
  (runtime: Runtime) =>
  async (folder: string, path: string, options: Options): Promise<void> => {
    const { USUAL_MAX_WRONG } = await import('../domain/evaluation/advice.ts');
    const { measuredOf } = await import('../domain/evaluation/evaluation.ts');
    const { reportOf } = await import('../domain/evaluation/report.ts');
    const { noWorkflowSettings } = await import('../domain/workflowSettings.ts');
    const documents = await documentsIn(folder);
    const after = await definitionIn(path);
    const before = options.beside === undefined ? after : await definitionIn(options.beside);
    const output = createOutput(options.json);
    const counter = createCounter(output, 'documents read');
    const stop = new AbortController();
    const cancel = (): void => stop.abort(new CommandFailed('interrupted', 'It was interrupted.'));
    process.once('SIGINT', cancel);
    let done = 0;
    const onRead = (): void => counter.show(++done, documents.length);
    try {
      const comparisons = await runtime.evaluateFolder(documents, { before, after }, onRead, stop.signal);
      const measured = measuredOf({ definition: after, settings: noWorkflowSettings });
      const report = reportOf(comparisons, measured, options.maxWrong ?? USUAL_MAX_WRONG);
      const head = `${path} on ${documents.length} documents of ${folder}${options.beside ? `; in brackets ${options.beside}` : ''}`;
      const text = async () => [head, await faultsText(comparisons), await figuresText(report)].join('\n\n');
      await output.answer({ folder, report, documents: comparisons }, text);
    } finally {
      counter.stop();
      process.removeListener('SIGINT', cancel);
    }
  };

/** What is not right, document by document. */
const faultsText = async (comparisons: readonly Comparison[]): Promise<string> => {
  const { isRight } = await import('../domain/evaluation/judge.ts');
  const faults = comparisons.flatMap(({ submissionId, after }) =>
    after.fields.filter((field) => !isRight(field)).map((field) => ({ document: submissionId, ...field })),
  );
  if (faults.length === 0) return 'All that is known of them was read right.';
  return table(faults, {
    DOCUMENT: ({ document }) => document,
    FIELD: ({ name }) => name,
    VERDICT: ({ verdict }) => verdict,
    CONFIDENCE: ({ confidence }) => confidence.toFixed(2),
  });
};

/** Texts have no bytes that tell their type. */
const TEXTS: Readonly<Record<string, string>> = {
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
};

/** The documents of a folder by name: every file that has its truth beside it, in `NAME.json`. */
const documentsIn = async (folder: string): Promise<readonly KnownDocument[]> => {
  const names = listed(folder).sort();
  const known = new Set(names.filter((name) => extname(name) === '.json'));
  const truthOf = (name: string): string => `${name.slice(0, -extname(name).length)}.json`;
  const files = names.filter((name) => !known.has(name) && known.has(truthOf(name)));
  if (files.length === 0)
    throw new CommandFailed(
      'no-documents',
      `${folder} has no document with its truth beside it.`,
      'Beside receipt.jpg put receipt.json: { "total": 12.5, "date": "2026-03-04" }.',
    );
  const documents: KnownDocument[] = [];
  for (const name of files) {
    const path = join(folder, truthOf(name));
    const truth = await readJsonFile(path);
    if (typeof truth !== 'object' || truth === null || Array.isArray(truth))
      throw new CommandFailed('no-truth', `${path} is no object of fields and their values.`);
    const mimeType = TEXTS[extname(name).toLowerCase()] ?? null;
    documents.push({ label: name, content: join(folder, name), mimeType, truth: { ...truth } });
  }
  return documents;
};

const listed = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch (cause) {
    throw new CommandFailed('no-folder', `${folder} can't be read: ${(cause as Error).message}`);
  }
};

const definitionIn = async (path: string): Promise<WorkflowDefinition> => {
  const { withDefaults } = await import('../schemas/workflowDefinition.ts');
  const definition = withDefaults(await readDefinition(path, 'nothing was read'));
  if (typeof definition.processing.extractor !== 'object') return definition;
  throw new CommandFailed('reads-elsewhere', `What ${path} reads is read by a server, not here.`);
};
