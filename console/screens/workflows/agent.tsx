import { useState } from 'preact/hooks';
import type { AgentAnswer } from '../../../client/api.ts';
import { api } from '../../app/api.ts';
import { useAction } from '../../app/resource.ts';
import { Button } from '../../parts/button.tsx';
import { Form, Submit } from '../../parts/form.tsx';
import { LongTextField } from '../../parts/formField.tsx';
import { Notice, ProblemNotice } from '../../parts/notice.tsx';
import { texts } from '../../texts.ts';
import type { Unchecked } from './faults.tsx';

const own = texts.workflows.agent;

type AgentProps = Readonly<{
  /** What is to be revised; null begins anew. Throws what is wrong with it. */
  current(): Unchecked | null;
  onDraft(draft: AgentAnswer['draft']): void;
  /** Puts back what was there before the draft; null where nothing was drafted. */
  undo: (() => void) | null;
}>;

/** Drafts or revises a definition as it is told, and says who did: a model, or the built-in rules. */
export const Agent = ({ current, onDraft, undo }: AgentProps) => {
  const [instruction, setInstruction] = useState('');
  const [answer, setAnswer] = useState<AgentAnswer | null>(null);
  const { isRunning, problem, start } = useAction();
  const ask = async (): Promise<void> => {
    await start(async () => {
      const draft = current();
      const body = { instruction, ...(draft ? { draft } : {}) };
      const made = await api.post('/api/internal/workflow-agent', { body });
      setAnswer(made);
      onDraft(made.draft);
    });
  };
  return (
    <Form onSubmit={ask}>
      <LongTextField
        label={own.instruction}
        hint={own.hint}
        maxLength={8_000}
        value={instruction}
        onInput={setInstruction}
      />
      <div class="actions">
        <Submit class="" isRunning={isRunning} disabled={instruction.trim() === ''}>
          {own.act}
        </Submit>
        {undo && <Button onClick={undo}>{own.undo}</Button>}
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {answer && <Answer answer={answer} />}
    </Form>
  );
};

const Answer = ({ answer: { by, notes } }: Readonly<{ answer: AgentAnswer }>) => (
  <Notice kind={by === 'model' ? 'info' : 'warning'}>
    <p>{own.by[by]}</p>
    <ul>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  </Notice>
);
