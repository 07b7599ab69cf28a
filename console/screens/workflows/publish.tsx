import { useState } from 'preact/hooks';
import type { WorkflowDefinition } from '../../../schemas/workflowDefinition.ts';
import type { CheckedDefinition } from '../../../schemas/workflowDefinitions.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { hrefOf, navigate } from '../../app/router.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { FormField, faultAt } from '../../parts/formField.tsx';
import { number } from '../../parts/quantity.ts';
import { say, texts } from '../../texts.ts';
import { Changes } from './changes.tsx';
import { PATH } from './path.ts';

const own = texts.workflows.publish;
const percent = (value: number): string => say(texts.figures.percent, { value: number(value) });

/** A definition without faults; `before` is the version that it follows, null for the first. */
export type Checked = CheckedDefinition & Readonly<{ before: WorkflowDefinition | null }>;

type PublishProps = Readonly<{
  checked: Checked;
  /** The identifier of the one that the gate is shown; empty for none yet. */
  evaluation: string;
  onClose(): void;
  onPublished(): void;
}>;

/** Asks once, over what the version changes, and publishes it. */
export const Publish = ({ checked, evaluation, onClose, onPublished }: PublishProps) => {
  const { definition, version, before } = checked;
  const { slug, name } = definition;
  const gate = before?.processing?.gate;
  const [evaluationId, setEvaluation] = useState(evaluation);
  const [force, setForce] = useState('');
  const work = async (): Promise<void> => {
    await api.post(PATH, {
      body: { definition, version, evaluationId: evaluationId.trim(), force: force.trim() },
    });
    onPublished();
    announce(say(own.done, { name, version }));
    navigate(hrefOf(`/workflows/${slug}`, { company: null }));
  };
  return (
    <ConfirmDialog title={say(own.title, { name, version })} act={own.act} work={work} onClose={onClose}>
      {(problem) => (
        <>
          <p>{before ? own.text : say(own.first, { slug })}</p>
          {before && <Changes before={before} after={definition} />}
          {gate && (
            <>
              <p>{say(own.gate, { size: gate.set.size, share: percent(100 * gate.maxWrong) })}</p>
              <Line
                label={own.evaluation}
                value={evaluationId}
                fault={faultAt(problem, '/evaluationId')}
                onInput={setEvaluation}
              />
              <Line label={own.force} value={force} fault={faultAt(problem, '/force')} onInput={setForce} />
            </>
          )}
        </>
      )}
    </ConfirmDialog>
  );
};

type LineProps = Readonly<{
  label: string;
  value: string;
  fault: string | null;
  onInput(text: string): void;
}>;

const Line = ({ label, value, fault, onInput }: LineProps) => (
  <FormField label={label} fault={fault}>
    {(control) => (
      <input {...control} value={value} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
    )}
  </FormField>
);
