import type { Labelled } from '../../schemas/submissions.ts';
import { texts } from '../texts.ts';
import type { Column } from './table.tsx';

type Row = Labelled & Readonly<{ clientSubmissionId: string | null }>;

/** As the label has it (labels-1). */
const amountText = (value: number): string => {
  const text = value.toFixed(2);
  return Number(text) === value ? text : String(value);
};

/** The label without the amount, which has a column of its own. */
const shortLabel = ({ label, amount }: Labelled): string => {
  const parts = label.split(' · ');
  const at = amount === null ? -1 : parts.indexOf(amountText(amount));
  return parts.length > 1 && at >= 0 ? parts.toSpliced(at, 1).join(' · ') : label;
};

/** The client’s identifier, where it is not the label itself. */
export const ClientId = ({ label, clientSubmissionId: id }: Omit<Row, 'amount'>) =>
  id === null || id === label ? null : <small>{id}</small>;

/** A submission in a list: its label as a link, and the client’s identifier. */
export const Named = ({ row, href }: Readonly<{ row: Row; href: string }>) => (
  <a href={href} title={row.label}>
    {shortLabel(row)} <ClientId {...row} />
  </a>
);

/** The amount of each submission of a list. */
export const amountColumn: Column<Labelled> = {
  text: texts.submissions.columns.amount,
  share: 2,
  align: 'end',
  cell: ({ amount }) => amount !== null && amountText(amount),
};
