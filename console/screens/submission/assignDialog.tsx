import { useState } from 'preact/hooks';
import type { SubmissionDetail } from '../../../schemas/submissions.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { useNames } from '../../app/people.ts';
import { useRead } from '../../app/resource.ts';
import { me } from '../../app/session.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/formField.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { say, texts } from '../../texts.ts';
import { PATH } from './read.ts';

const own = texts.team;

type AssignProps = Readonly<{ detail: SubmissionDetail; reload(): Promise<void>; onClose(): void }>;

/** Gives the review of a submission to a person, or to nobody in particular. */
export const AssignDialog = ({ detail: { id, assignee }, reload, onClose }: AssignProps) => {
  const userId = me()?.userId ?? '';
  const [chosen, choose] = useState(assignee ?? userId);
  const { options, problem } = useAssignees(userId, assignee);
  const assign = async (): Promise<void> => {
    const body = { assignee: chosen === '' ? null : chosen };
    await api.put(`${PATH}/assignee`, { path: { submissionId: id }, body });
    const name = options.find(({ value }) => value === chosen)?.text ?? chosen;
    announce(chosen === '' ? own.isUnassigned : say(own.isAssigned, { name }));
    await reload();
  };
  return (
    <ConfirmDialog
      title={own.assignTitle}
      act={own.assign}
      isReady={chosen !== (assignee ?? '')}
      work={assign}
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
