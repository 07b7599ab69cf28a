import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { say, texts } from '../texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FormField } from './formField.tsx';
import { Notice } from './notice.tsx';

const own = texts.secrets;

type Secret = Readonly<{ label: string; value: string; hint?: string }>;

type SecretsProps = Readonly<{
  title: string;
  secrets: readonly Secret[];
  children?: ComponentChildren;
  onClose(): void;
}>;

/** What the service answers this once: it stays until the person says that it is kept. */
export const SecretsDialog = ({ title, secrets, children, onClose }: SecretsProps) => (
  <Dialog title={title}>
    <Notice kind="warning">{own.once}</Notice>
    {secrets.map((secret) => (
      <CopyField key={secret.label} {...secret} />
    ))}
    {children}
    <div class="actions">
      <Button class="primary" onClick={onClose}>
        {own.kept}
      </Button>
    </div>
  </Dialog>
);

/** A value that is read only, with a button that copies it. */
export const CopyField = ({ label, value, hint }: Secret) => {
  const [said, tell] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      tell(own.copied);
    } catch {
      tell(own.selected); // browsers let no page without TLS do it, nor where the person has forbidden it
    }
  };
  return (
    <FormField label={label} hint={hint}>
      {(control) => (
        <div class="secret">
          <input {...control} ref={field} readOnly value={value} onFocus={() => field.current?.select()} />
          <Button aria-label={say(own.copyOf, { what: label })} onClick={copy}>
            {own.copy}
          </Button>
          <small role="status">{said}</small>
        </div>
      )}
    </FormField>
  );
};
