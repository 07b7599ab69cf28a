import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Comparison } from '../domain/evaluation/judge.ts';
import type { WorkflowDefinition } from '../domain/workflow.ts';
import type { Of } from '../kernel/schema.ts';
import type { EvaluationReport } from '../schemas/evaluations.ts';
import { createCounter } from './bar.ts';
import type { Common } from './commandLine.ts';
import { figuresText } from './evaluationText.ts';
import { CommandFailed } from './failure.ts';
import { readJsonFile } from './jsonFile.ts';
import { createOutput, table } from './output.ts';
import type { KnownDocument, Runtime } from './runtime.ts';

type Options = Common & Readonly<{ beside?: string; maxWrong?: number }>;
type Report = Of<typeof EvaluationReport>;

/** How much may be wrong of what no person sees, unless it is told: as the API has it. */
const MAX_WRONG = 0.01;

/**
 * `intake reader evaluate`: a definition is tried on a folder of documents whose truth is known, without a
 * service. Throws `CommandFailed`.
 */
export const evaluateFolder =
  (runtime: Runtime) =>
  async (folder: string, path: string, options: Options): Promise<void> => {
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
      const maxWrong = options.maxWrong ?? MAX_WRONG;
      const { advice, ...figures } = reportOf(comparisons, measured, maxWrong);
      const advised = advice && { maxWrong, ...advice };
      const report: Report = { ...figures, reviewBelow: measured.reviewBelow, advice: advised };
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
  const faults = comparisons.flatMap(({ submissionId, after }) =>
    after.fields
      .filter(({ verdict }) => verdict === 'wrong' || verdict === 'missing')
      .map((field) => ({ document: submissionId, ...field })),
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
  const { definitionProblems } = await import('../schemas/definitionProblems.ts');
  const { withDefaults } = await import('../schemas/workflowDefinition.ts');
  const value = await readJsonFile(path);
  const faults = definitionProblems(value);
  if (faults.length > 0)
    throw new CommandFailed('invalid-definition', `${path} is no valid definition.`, null, faults);
  const definition = withDefaults(value as Parameters<typeof withDefaults>[0]);
  if (typeof definition.processing.extractor !== 'object') return definition;
  throw new CommandFailed('reads-elsewhere', `What ${path} reads is read by a server, not here.`);
};
