import type { Submission } from '../domain/submission/state.ts';
import { isAmount } from '../domain/workflow.ts';
import { REDACTED } from '../kernel/event.ts';
import type { Labelled } from '../schemas/submissions.ts';

const UNLISTED_VALUES = 3;
const MAX_VALUE = 40;

type Listed = NonNullable<Submission['workflow']['list']>[number];

/** What names a submission in lists, and its amount (labels-1, labels-3). */
export const labelled = (submission: Submission): Labelled => {
  const { extractedData, workflow } = submission;
  const values = typeof extractedData === 'object' && extractedData !== null ? extractedData : {};
  const names = Object.keys(values).map((name): Listed => ({ name, type: 'string' }));
  const texts = (workflow.list ?? names).flatMap(({ name, type }) => textOf(values[name], type));
  const label = (workflow.list ? texts : texts.slice(0, UNLISTED_VALUES)).join(' · ');
  const amount = workflow.list?.find(({ type }) => isAmount(type))?.name;
  const value = amount === undefined ? null : values[amount];
  return {
    label: label === '' ? nameOf(submission) : label,
    amount: typeof value === 'number' ? value : null,
  };
};

/** What names a submission of which nothing was read: its first file, otherwise its identifier. */
const nameOf = ({ slots, fileNames, clientSubmissionId, routing }: Submission): string => {
  const [fileName] = slots.flatMap(({ fileId }) => fileNames[fileId] ?? []);
  const given = clientSubmissionId === REDACTED ? null : clientSubmissionId;
  return fileName ?? given ?? routing.submissionId;
};

/** A value on one line; none for what has no value, and for rows of a table. */
const textOf = (value: unknown, type: Listed['type']): readonly string[] => {
  if (Array.isArray(value)) return [];
  const text = isAmount(type) && typeof value === 'number' ? amountText(value) : String(value ?? '');
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line === '' ? [] : [cut(line)];
};

/** With two decimals, or as many more as it has. */
const amountText = (value: number): string => {
  const text = value.toFixed(2);
  return Number(text) === value ? text : String(value);
};

const cut = (text: string): string => {
  const letters = [...text.slice(0, 2 * MAX_VALUE)];
  return letters.length > MAX_VALUE ? `${letters.slice(0, MAX_VALUE - 1).join('')}…` : letters.join('');
};
