import { useState } from 'preact/hooks';
import type { AssignRequest } from '../../../client/api.ts';
import { useNames } from '../../app/people.ts';
import { useRead } from '../../app/resource.ts';
import { me } from '../../app/session.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/formField.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { texts } from '../../texts.ts';

const own = texts.team;

type AssignProps = Readonly<{
  title: string;
  /** Who has it now; undefined for several submissions. */
  assignee?: string | null;
  assign(body: AssignRequest, name: string): Promise<void>;
  onClose(): void;
}>;

/** Asks to whom reviews are given: a person, or nobody in particular. */
export const AssignDialog = ({ title, assignee, assign, onClose }: AssignProps) => {
  const userId = me()?.userId ?? '';
  const [chosen, choose] = useState(assignee ?? userId);
  const { options, problem } = useAssignees(userId, assignee ?? null);
  const work = (): Promise<void> => {
    const name = options.find(({ value }) => value === chosen)?.text ?? chosen;
    return assign({ assignee: chosen === '' ? null : chosen }, name);
  };
  return (
    <ConfirmDialog
      title={title}
      act={own.assign}
      isReady={assignee === undefined || chosen !== (assignee ?? '')}
      work={work}
      onClose={onClose}
    >
      {problem && <ProblemNotice problem={problem} />}
      <SelectField label={texts.queue.assigned} value={chosen} options={options} onChange={choose} />
    </ConfirmDialog>
  );
};

/** To whom it may be given: nobody, the person, others by their names, and who has it. */
const useAssignees = (userId: string, assignee: string | null) => {
  const { value, problem } = useRead('/api/v1/people/names', {});
  const nameOf = useNames(assignee === null ? [] : [assignee]);
  const names = new Map(value?.data.map(({ id, name }) => [id, name ?? id]));
  if (assignee !== null && !names.has(assignee)) names.set(assignee, nameOf(assignee));
  names.delete(userId);
  const others = [...names].map(([id, text]) => ({ value: id, text }));
  const options = [
    { value: '', text: own.nobody },
    { value: userId, text: texts.queue.you },
    ...others.toSorted((one, other) => one.text.localeCompare(other.text)),
  ];
  return { options, problem };
};
