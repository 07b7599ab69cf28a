import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { OutputField } from '../domain/workflow.ts';
import { definitionProblems } from '../schemas/definitionProblems.ts';
import { type WorkflowDefinition, withDefaults } from '../schemas/workflowDefinition.ts';
import { Misuse } from '../scripts/named.ts';
import { judge } from './extraction/judge.ts';
import { createProgress } from './extraction/progress.ts';
import { accuracy, faultsOf, type Measured, pace, trust } from './extraction/report.ts';
import { jsonIn, type Scan, scansIn } from './extraction/scans.ts';
import { type Answer, throughService } from './extraction/service.ts';
import { createYardstick, type Plain } from './extraction/yardstick.ts';
import type { Row } from './measure.ts';

/** What `npm run bench -- --help` says of this. */
export const summary =
  'PATH [WORKFLOW]: sends a folder of scans with their truth (NAME.json) through the service: accuracy a field, calibration, seconds a page, beside plain OCR';

const RECEIPT_WORKFLOW = fileURLToPath(
  new URL('../../scripts/samples/receipt.workflow.json', import.meta.url),
);

/**
 * Prints what the service misreads in a folder of scans, and how it does beside plain recognition with a
 * naive first-match rule. The fields are those of a workflow definition, the sample's by default; fields that
 * a truth does not name are not judged.
 */
export const run = async ([folder, definition = RECEIPT_WORKFLOW]: readonly string[]): Promise<
  readonly Row[]
> => {
  const scans = await scansIn(folder);
  const { outputSchema } = await definitionIn(definition);
  const atOnce = availableParallelism();
  const { answers, seconds } = await following('documents', scans.length, (step) =>
    throughService(scans, definition, atOnce, step),
  );
  const plain = await following('plain recognition', scans.length, (step) =>
    plainly(scans, outputSchema, step),
  );
  const measured = answers.map((answer, index) => measuredOf(answer, plain[index] ?? null, outputSchema));
  const names = outputSchema.map(({ name }) => name);
  const parts = [
    faultsOf(measured),
    accuracy(names, measured),
    trust(measured),
    pace(measured, seconds, atOnce),
  ];
  process.stdout.write(`${parts.join('\n\n')}\n`);
  return [];
};

const measuredOf = (answer: Answer, plain: Plain | null, fields: readonly OutputField[]): Measured => {
  const { scan, extractedData, fieldConfidences } = answer;
  const named = fields.filter(({ name }) => scan.truth[name] !== undefined);
  const ours = named.map((field) =>
    judge(field, extractedData[field.name], scan.truth[field.name] ?? '', fieldConfidences[field.name] ?? 0),
  );
  return { answer, ours, plain };
};

/** The yardstick reads pictures only. */
const plainly = async (
  scans: readonly Scan[],
  fields: readonly OutputField[],
  step: () => void,
): Promise<readonly (Plain | null)[]> => {
  const yardstick = await createYardstick();
  const read: (Plain | null)[] = [];
  try {
    for (const scan of scans) {
      read.push(scan.mimeType.startsWith('image/') ? await yardstick.read(scan, fields) : null);
      step();
    }
    return read;
  } finally {
    await yardstick.close();
  }
};

const following = async <T>(
  title: string,
  total: number,
  work: (step: () => void) => Promise<T>,
): Promise<T> => {
  const progress = createProgress(title, total);
  try {
    return await work(progress.step);
  } finally {
    progress.stop();
  }
};

/** The definition in a file. Throws Misuse with its faults. */
const definitionIn = async (path: string) => {
  const value = await jsonIn(path);
  const faults = definitionProblems(value);
  if (faults.length > 0)
    throw new Misuse(faults.map(({ pointer, detail }) => `${path} ${pointer}: ${detail}`).join('\n'));
  return withDefaults(value as WorkflowDefinition);
};
