import { useState } from 'preact/hooks';
import type { Evaluation } from '../../../client/api.ts';
import { api } from '../../app/api.ts';
import { useAction } from '../../app/resource.ts';
import { encoded, hrefOf } from '../../app/router.ts';
import { may } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { texts } from '../../texts.ts';

const own = texts.evaluations;
const PATH = '/api/v1/evaluations/{evaluationId}';

type ActsProps = Readonly<{ evaluation: Evaluation; onChanged(): Promise<void> }>;

/** Stops an evaluation, has it go on, ends it; publishes a draft. */
export const Acts = ({ evaluation, onChanged }: ActsProps) => {
  const { status, workflow, evaluationId } = evaluation;
  const [isAsked, ask] = useState(false);
  const { isRunning, problem, start } = useAction();
  const path = { evaluationId };
  const change = async (to: 'pause' | 'resume' | 'cancel'): Promise<void> => {
    await api.post(`${PATH}/${to}`, { path });
    await onChanged();
  };
  const act = (to: 'pause' | 'resume', text: string) => (
    <Button disabled={isRunning} onClick={() => void start(() => change(to))}>
      {text}
    </Button>
  );
  const edit = encoded`/workflows/${workflow.slug}/edit`;
  return (
    <>
      {status === 'running' && act('pause', own.pause)}
      {status === 'paused' && act('resume', own.resume)}
      {(status === 'running' || status === 'paused') && (
        <Button onClick={() => ask(true)}>{own.cancel}</Button>
      )}
      {status === 'completed' && workflow.version === null && may('workflows.manage') && (
        <a class="button" href={hrefOf(edit, { company: null, evaluation: evaluationId })}>
          {own.publish}
        </a>
      )}
      {problem && <ProblemNotice problem={problem} />}
      {isAsked && (
        <ConfirmDialog
          title={own.cancelAsk}
          act={own.cancel}
          work={() => change('cancel')}
          onClose={() => ask(false)}
        >
          <p>{own.cancelText}</p>
        </ConfirmDialog>
      )}
    </>
  );
};
