import { useState } from 'preact/hooks';
import type { RedactRequest } from '../../client/api.ts';
import { say, texts } from '../texts.ts';
import { ConfirmDialog } from './dialog.tsx';
import { choicesOf, LongTextField, SelectField, TextField } from './formField.tsx';

const own = texts.people;
const names = texts.certificate;

type RedactProps = Readonly<{
  title: string;
  /** What goes, and what stays. */
  text: string;
  stays: string;
  /** What is to be typed before anything is done; nothing is without it. */
  typed?: string;
  redact(basis: RedactRequest): Promise<void>;
  onClose(): void;
}>;

/** Asks why something is redacted, on which basis, and who asked for it; then redacts. */
export const RedactDialog = ({ title, text, stays, typed = '', redact, onClose }: RedactProps) => {
  const [reason, setReason] = useState('');
  const [legalBasis, setBasis] = useState<string>('erasure_request');
  const [requestedBy, setRequestedBy] = useState('');
  const [again, setAgain] = useState('');
  const work = (): Promise<void> =>
    redact({
      reason: reason.trim(),
      // The values of the choices are the bases.
      legalBasis: legalBasis as RedactRequest['legalBasis'],
      requestedBy: requestedBy.trim() || null,
    });
  return (
    <ConfirmDialog
      title={title}
      act={own.acts.redact.act}
      danger
      isReady={reason.trim() !== '' && again === typed}
      work={work}
      onClose={onClose}
    >
      <p>{text}</p>
      <p>{stays}</p>
      <LongTextField
        label={names.reason}
        hint={own.reasonKept}
        maxLength={1000}
        value={reason}
        onInput={setReason}
      />
      <SelectField
        label={names.legalBasis}
        options={choicesOf(texts.legalBases)}
        value={legalBasis}
        onChange={setBasis}
      />
      <TextField
        label={names.requestedBy}
        hint={own.requestedByKept}
        value={requestedBy}
        onInput={setRequestedBy}
      />
      {typed !== '' && (
        <TextField
          label={say(own.typeAgain, { name: typed })}
          value={again}
          autocomplete="off"
          onInput={setAgain}
        />
      )}
    </ConfirmDialog>
  );
};
