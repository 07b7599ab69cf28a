import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { LongTextField } from '../../parts/formField.tsx';
import { texts } from '../../texts.ts';
import type { Held } from './outbox.ts';

const own = texts.decisions;

/** What can be decided with a reason. */
export type Decision = 'reject' | 'cancel' | 'reprocess' | 'enter';

/** The others leave something to do on the same submission. */
export const isFinal = (decision: Decision | 'approve'): decision is Held =>
  decision !== 'reprocess' && decision !== 'enter';

type ReasonProps = Readonly<{
  decision: Decision;
  /** What is asked, and what the button says, where it is not about one submission. */
  title?: string;
  act?: string;
  meanwhile?: ComponentChildren;
  note: string;
  /** The reason that was given before, where that decision was taken back or refused. */
  before?: string;
  make(decision: Decision, body: object): Promise<void>;
  onClose(): void;
}>;

/** Asks for the reason, which is one of a list, words of one's own, or both. */
export const ReasonDialog = ({ decision, meanwhile, note, before = '', make, ...dialog }: ReasonProps) => {
  const known = own.reasons[decision].find((text) => before === text || before.startsWith(`${text}: `)) ?? '';
  const [chosen, choose] = useState(known);
  const [words, setWords] = useState(known ? before.slice(known.length + 2) : before);
  const reason = [chosen, words.trim()].filter((part) => part !== '').join(': ');
  const isRequired = decision === 'enter';
  return (
    <ConfirmDialog
      title={own.titles[decision]}
      act={own[decision]}
      {...dialog}
      danger={isFinal(decision)}
      isReady={!isRequired || reason !== ''}
      work={() => make(decision, reason === '' ? {} : { reason })}
    >
      {meanwhile}
      <p>{note}</p>
      <fieldset class="reasons">
        <legend>{isRequired ? own.reasonRequired : own.reason}</legend>
        {own.reasons[decision].map((text) => (
          <label key={text} class="check">
            <input type="radio" name="reason" checked={chosen === text} onChange={() => choose(text)} />{' '}
            {text}
          </label>
        ))}
      </fieldset>
      <LongTextField label={own.words} maxLength={900} value={words} onInput={setWords} />
    </ConfirmDialog>
  );
};
