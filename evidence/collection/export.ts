import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createDigest } from '../digest.ts';
import type { ExportPorts } from '../export.ts';
import { documentText } from '../format.ts';
import { openFolder, PLAN, writeWhole } from './folder.ts';
import { type CollectionFilter, type Entry, INDEX, INDEX_SIGNATURE, type Index, LIST } from './format.ts';
import { packaged } from './packaged.ts';
import { type Plan, type PlanPorts, plannedIn, readPlan, writePlan } from './plan.ts';

/** Called after each package. */
type OnProgress = (done: number, total: number) => void;

/**
 * Writes the evidence of every submission of a filter: a folder of signed packages, and a signed index. What
 * an export that was stopped has listed and made is kept where it is still right. A submission without
 * package (`refused`) stops nothing. Throws `PackageRefused`, `OtherFilter`, and what the signal is aborted
 * with.
 */
export const exportCollection = async (
  ports: ExportPorts & PlanPorts,
  folder: string,
  filter: CollectionFilter,
  signal: AbortSignal,
  onProgress: OnProgress,
) => {
  if (!(await openFolder(folder))) await writePlan(ports, folder, filter, signal);
  const plan = await readPlan(folder, filter);
  const totals = { kept: 0, missing: 0, refused: [] as Entry[] };
  const digest = createDigest();
  const lines = async function* () {
    let done = 0;
    for await (const listed of plannedIn(folder)) {
      const { entry, manifest, isKept } = await packaged(ports, folder, listed, signal);
      if (entry.refused !== null) totals.refused.push(entry);
      if (isKept) totals.kept += 1;
      totals.missing += manifest?.missing.length ?? 0;
      const line = `${JSON.stringify(entry)}\n`;
      digest.add(Buffer.from(line));
      done += 1;
      onProgress(done, plan.count);
      yield line;
    }
  };
  await writeWhole(join(folder, LIST), lines());
  const { size, sha256 } = digest.end();
  const index = await conclude(ports, folder, { ...plan, list: { path: LIST, size, sha256 } });
  return { index, ...totals };
};

/** Writes the signed index: the collection is whole then, and its plan is removed. */
const conclude = async (
  { key, now, service }: ExportPorts,
  folder: string,
  { count, filter, startedAt, head, list }: Plan & Pick<Index, 'count' | 'list'>,
): Promise<Index> => {
  const index: Index = {
    format: 'intake-evidence-collection',
    version: 1,
    ...{ filter, startedAt, head },
    exportedAt: now().toISOString(),
    service,
    key: key.publicKey.id,
    ...{ count, list },
  };
  const text = documentText(index);
  await writeWhole(join(folder, INDEX_SIGNATURE), [`${key.sign(Buffer.from(text)).toString('base64')}\n`]);
  await writeWhole(join(folder, INDEX), [text]);
  await rm(join(folder, PLAN));
  return index;
};
