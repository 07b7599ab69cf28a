import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { table } from '../../cli/table.ts';
import { print } from '../named.ts';
import { type Integration, isProcessed, type Job, textOf } from './integration.ts';
import type { Person } from './people.ts';

const samples = fileURLToPath(new URL('../../../scripts/samples/', import.meta.url));
export const samplePath = (file: string): string => join(samples, file);

type Field = Readonly<{
  value: unknown;
  confidence: number;
  place: Readonly<{
    page: number;
    box: Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>> | null;
  }> | null;
}>;
type Read = Job & Readonly<{ result: Readonly<{ fields: Readonly<Record<string, Field>> }> | null }>;
type Match = Readonly<{
  id: string;
  checkType: string;
  score: number;
  similarity: number;
  matchedSubmissionId: string;
}>;

/** The API as the demo's integration uses it, where its webhooks go, and who decides what the machine does not. */
export type Stage = Readonly<{ api: Integration; webhookUrl: string; reviewer: Person }>;

/** The sample workflow with every fraud check, written to `folder`; its path. */
export const writeDefinition = (folder: string): string => {
  const definition = JSON.parse(readFileSync(samplePath('receipt.workflow.json'), 'utf8'));
  const fraud = {
    checks: ['duplicate_file', 'duplicate_data', 'near_duplicate_image'],
    businessKey: ['company', 'date', 'total'],
  };
  const path = join(folder, 'receipt.workflow.json');
  writeFileSync(path, JSON.stringify({ ...definition, processing: { ...definition.processing, fraud } }));
  return path;
};

/** A smaller copy of a picture, with other bytes, written to `folder`; its path. */
export const writeCopy = async (of: string, folder: string): Promise<string> => {
  const path = join(folder, 'receipt-again.jpg');
  await sharp(of).resize({ width: 640 }).jpeg({ quality: 70 }).toFile(path);
  return path;
};

/** Opens a session for a receipt, uploads it and submits it. */
export const send = ({ api, webhookUrl }: Stage, path: string, mimeType: string): Promise<Job> =>
  api.send(path, mimeType, webhookUrl, basename(path));

/**
 * The receipt once it is processed. Throws when that takes a minute, or when it ends as anything but
 * `status`.
 */
export const processed = async ({ api }: Stage, sent: Job, status: string): Promise<Read> => {
  const started = performance.now();
  for (;;) {
    const job = await api.get<Read>(`/jobs/${sent.sessionId}`);
    if (isProcessed(job)) {
      if (job.submissionStatus === status) return job;
      throw new Error(`the submission should be ${status}: ${JSON.stringify(job)}`);
    }
    if (performance.now() - started > 60_000)
      throw new Error(`not processed within a minute: ${JSON.stringify(job)}`);
    await sleep(200);
  }
};

/** Prints what was read of a receipt: each field with its value, confidence and place. */
export const showFields = ({ result }: Read): void => {
  const rows = Object.entries(result?.fields ?? {});
  const columns = {
    '  field': ([name]: (typeof rows)[number]) => `  ${name}`,
    value: ([, { value }]: (typeof rows)[number]) => textOf(value),
    confidence: ([, { confidence }]: (typeof rows)[number]) => confidence.toFixed(2),
    'read at': ([, { place }]: (typeof rows)[number]) => placeOf(place),
  };
  print(table(rows, columns));
};

const placeOf = (place: Field['place']): string | null => {
  if (!place) return null;
  const { page, box } = place;
  return box ? `page ${page}, x ${box.left}–${box.right}, y ${box.top}–${box.bottom}` : `page ${page}`;
};

/** A value that was read, and how sure the machine was. */
export const readValue = ({ result }: Read, field: string): string => {
  const { value, confidence } = result?.fields[field] ?? { value: null, confidence: 0 };
  return `${textOf(value) ?? 'none'} (confidence ${confidence.toFixed(2)})`;
};

/**
 * Prints what the fraud checks found, and lets a reviewer confirm it and reject the receipt; how many
 * matches.
 */
export const rejectDuplicate = async (
  { reviewer: { api } }: Stage,
  { submissionId }: Job,
  names: ReadonlyMap<string, string>,
): Promise<number> => {
  const { data } = await api.get<{ data: readonly Match[] }>(`/submissions/${submissionId}/fraud-matches`);
  if (data.length === 0) throw new Error('the copy was matched with no receipt');
  const columns = {
    '  check': ({ checkType }: Match) => `  ${checkType}`,
    score: ({ score }: Match) => score,
    similarity: ({ similarity }: Match) => similarity,
    'duplicate of': ({ matchedSubmissionId }: Match) => names.get(matchedSubmissionId) ?? matchedSubmissionId,
  };
  print(table(data, columns));
  for (const { id } of data)
    await api.post(`/submissions/${submissionId}/fraud-matches/${id}/resolve`, { resolution: 'confirmed' });
  await api.post(`/submissions/${submissionId}/reject`, { reason: 'sent in before' });
  return data.length;
};

/** Lets a reviewer approve a receipt with a correction. */
export const approveCorrected = async (
  { reviewer: { api } }: Stage,
  { submissionId }: Job,
  corrections: Readonly<Record<string, unknown>>,
): Promise<void> => {
  await api.post(`/submissions/${submissionId}/approve`, {
    comment: 'read from the paper original',
    corrections,
  });
};
