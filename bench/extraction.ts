import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { OutputField } from '../domain/workflow.ts';
import { svgOf } from '../http/engine/plot.ts';
import { definitionProblems } from '../schemas/definitionProblems.ts';
import { type WorkflowDefinition, withDefaults } from '../schemas/workflowDefinition.ts';
import type { Settings } from '../scripts/demo/intake.ts';
import { Misuse, print } from '../scripts/named.ts';
import { judge } from './extraction/judge.ts';
import { type Cells, judgeTable } from './extraction/judgeTable.ts';
import { type Group, groupsIn } from './extraction/kinds.ts';
import { createProgress } from './extraction/progress.ts';
import {
  accuracy,
  calibrationPlot,
  faultsOf,
  type Measured,
  pace,
  trust,
  unreviewed,
} from './extraction/report.ts';
import { jsonIn, type Scan } from './extraction/scans.ts';
import { type Answer, throughService } from './extraction/service.ts';
import { createYardstick, type Plain } from './extraction/yardstick.ts';
import type { Row } from './measure.ts';

/** What `npm run bench -- --help` says of this. */
export const summary =
  'PATH [WORKFLOW] [--beside EXECUTABLE] [--models FOLDER] [--plot FILE.svg] [--plain]: sends a folder of scans with their truth (NAME.json), or one folder a kind, through the service: accuracy a field, calibration, processor time a page; beside another build, other models, or plain OCR';

/**
 * Prints what the service misreads in a folder of scans, and how it does beside another build's
 * `dist/cli/intake.js`, with other models (`READER_MODELS`), and beside plain recognition with a naive
 * first-match rule. The fields are those of a workflow definition; fields that a truth does not name are not
 * judged.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { values, positionals } = parseArgs({
    args: [...options],
    allowPositionals: true,
    options: {
      ...{ beside: { type: 'string' }, models: { type: 'string' } },
      ...{ plot: { type: 'string' }, plain: { type: 'boolean' } },
    },
  });
  const [folder = '', definition] = positionals;
  const second = secondReader(values.beside, values.models);
  const ours: Measured[] = [];
  const others: Measured[] = [];
  for (const group of await groupsIn(folder, definition)) {
    const measured = await measureGroup(group, second, values.plain === true);
    ours.push(...measured.ours);
    others.push(...measured.second);
  }
  print(['all documents', accuracy([], ours, second && others), trust(ours)].join('\n\n'));
  if (values.plot !== undefined)
    await writeFile(
      values.plot,
      svgOf(calibrationPlot({ 'this build': ours, ...(second ? { second: others } : {}) })),
    );
  return [];
};

/** The settings of a second reader: another build, other models, or both; null without one. */
const secondReader = (beside: string | undefined, models: string | undefined): Settings | null =>
  beside === undefined && models === undefined
    ? null
    : {
        ...(beside === undefined ? {} : { INTAKE_EXECUTABLE: resolve(beside) }),
        ...(models === undefined ? {} : { READER_MODELS: resolve(models) }),
      };

/** Measures scans of one kind and prints what came of them. */
const measureGroup = async (
  { kind, definition, scans }: Group,
  secondSettings: Settings | null,
  isPlain: boolean,
): Promise<Readonly<{ ours: readonly Measured[]; second: readonly Measured[] }>> => {
  const { outputSchema } = await definitionIn(definition);
  const atOnce = availableParallelism();
  const through = (title: string, settings: Settings) =>
    following(title, scans.length, (step) => throughService(scans, definition, atOnce, step, settings));
  const first = await through(kind, {});
  const other = secondSettings && (await through(`${kind}, 2nd`, secondSettings));
  const plain = isPlain
    ? await following('plain recognition', scans.length, (step) => plainly(scans, outputSchema, step))
    : [];
  const ours = first.answers.map((answer, index) => measuredOf(answer, plain[index] ?? null, outputSchema));
  const second = other?.answers.map((answer) => measuredOf(answer, null, outputSchema)) ?? [];
  const names = outputSchema.flatMap(({ name, columns }) =>
    columns ? columns.map((column) => `${name}.${column.name}`) : [name],
  );
  print(
    [
      kind,
      faultsOf(ours),
      accuracy(names, ours, other && second),
      trust(ours),
      unreviewed(outputSchema, ours),
      pace(ours, first, atOnce),
      ...(other ? [`2nd: ${unreviewed(outputSchema, second)}`, `2nd: ${pace(second, other, atOnce)}`] : []),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  );
  return { ours, second };
};

const measuredOf = (answer: Answer, plain: Plain | null, fields: readonly OutputField[]): Measured => {
  const { scan, extractedData, fieldConfidences } = answer;
  const named = fields.filter(({ name }) => scan.truth[name] !== undefined);
  const single = named.map((field) =>
    judge(field, extractedData[field.name], scan.truth[field.name] ?? '', fieldConfidences[field.name] ?? 0),
  );
  const cells = fields.flatMap((field) => {
    const [found, truth] = [extractedData[field.name] ?? [], scan.tables[field.name]];
    return field.type === 'table' && truth
      ? judgeTable(field, found as readonly Cells[], truth, answer.cellConfidences[field.name] ?? [])
      : [];
  });
  return { answer, ours: [...single, ...cells], plain };
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
