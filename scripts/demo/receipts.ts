import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { table } from '../../cli/table.ts';
import type { FieldResult, FraudMatch, IntakeClient, Job, Place } from '../../client/index.ts';
import { print } from '../named.ts';
import type { Person } from './people.ts';

const samples = fileURLToPath(new URL('../../../scripts/samples/', import.meta.url));
export const samplePath = (file: string): string => join(samples, file);

/**
 * The API as the demo's integration uses it, where its webhooks go, and who decides what the machine does
 * not.
 */
export type Stage = Readonly<{ api: IntakeClient; webhookUrl: string; reviewer: Person }>;

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

/** Sends a receipt that is a file of this machine. */
export const send = ({ api, webhookUrl }: Stage, path: string): Promise<Job> =>
  api.submit('receipt', [path], { webhookUrl, clientSubmissionId: basename(path) });

/** The receipt once it is processed. Throws when it ends as anything but `status`. */
export const processed = async ({ api }: Stage, sent: Job, status: string): Promise<Job> => {
  const job = await api.wait(sent.sessionId);
  if (job.submissionStatus === status) return job;
  throw new Error(`the submission should be ${status}: ${JSON.stringify(job)}`);
};

/** Prints what was read of a receipt: each field with its value, confidence and place. */
export const showFields = ({ result }: Job): void => {
  const rows = Object.entries(result?.fields ?? {});
  const columns = {
    '  field': ([name]: (typeof rows)[number]) => `  ${name}`,
    value: ([, { value }]: (typeof rows)[number]) => textOf(value),
    confidence: ([, { confidence }]: (typeof rows)[number]) => confidence.toFixed(2),
    'read at': ([, { place }]: (typeof rows)[number]) => placeOf(place),
  };
  print(table(rows, columns));
};

/** An extracted value as text, null when there is none. */
const textOf = (value: FieldResult['value']): string | null => (value === null ? null : String(value));

const placeOf = (place: Place | null): string | null => {
  if (!place) return null;
  const { page, box } = place;
  return box ? `page ${page}, x ${box.left}–${box.right}, y ${box.top}–${box.bottom}` : `page ${page}`;
};

/** A value that was read, and how sure the machine was. */
export const readValue = ({ result }: Job, field: string): string => {
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
  const path = { submissionId };
  const { data } = await api.get('/api/v1/submissions/{submissionId}/fraud-matches', { path });
  if (data.length === 0) throw new Error('the copy was matched with no receipt');
  const columns = {
    '  check': ({ checkType }: FraudMatch) => `  ${checkType}`,
    score: ({ score }: FraudMatch) => score,
    similarity: ({ similarity }: FraudMatch) => similarity,
    'duplicate of': ({ matchedSubmissionId }: FraudMatch) =>
      names.get(matchedSubmissionId ?? '') ?? matchedSubmissionId,
  };
  print(table(data, columns));
  for (const { id } of data)
    await api.post('/api/v1/submissions/{submissionId}/fraud-matches/{matchId}/resolve', {
      path: { submissionId, matchId: id },
      body: { resolution: 'confirmed' },
    });
  await api.post('/api/v1/submissions/{submissionId}/reject', { path, body: { reason: 'sent in before' } });
  return data.length;
};

/** Lets a reviewer approve a receipt with a correction. */
export const approveCorrected = async (
  { reviewer: { api } }: Stage,
  { submissionId }: Job,
  corrections: Record<string, string | number | boolean | null>,
): Promise<void> => {
  await api.post('/api/v1/submissions/{submissionId}/approve', {
    path: { submissionId },
    body: { comment: 'read from the paper original', corrections },
  });
};
