import { useState } from 'preact/hooks';
import type { RedactRequest } from '../../../client/api.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { choicesOf, LongTextField, SelectField, TextField } from '../../parts/formField.tsx';
import { texts } from '../../texts.ts';

const own = texts.people;
const names = texts.certificate;

type RedactProps = Readonly<{
  title: string;
  /** What goes, and what stays. */
  text: string;
  stays: string;
  redact(basis: RedactRequest): Promise<void>;
  onClose(): void;
}>;

/** Asks why a person or an invitation is redacted, on which basis, and who asked for it; then redacts. */
export const RedactDialog = ({ title, text, stays, redact, onClose }: RedactProps) => {
  const [reason, setReason] = useState('');
  const [legalBasis, setBasis] = useState<string>('erasure_request');
  const [requestedBy, setRequestedBy] = useState('');
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
      isReady={reason.trim() !== ''}
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
    </ConfirmDialog>
  );
};
