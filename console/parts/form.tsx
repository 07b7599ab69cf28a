import type { ComponentChildren } from 'preact';
import { texts } from '../texts.ts';

type FormProps = Readonly<{ class?: string; onSubmit(): void; children: ComponentChildren }>;

/** A form that a script sends: the page stays. */
export const Form = ({ onSubmit, ...form }: FormProps) => {
  const submit = (event: Event): void => {
    event.preventDefault();
    onSubmit();
  };
  return <form {...form} onSubmit={submit} />;
};

type SubmitProps = Readonly<{
  class?: string;
  isRunning?: boolean;
  disabled?: boolean;
  children: ComponentChildren;
}>;

/** The button that sends its form, which it says while that is under way. */
export const Submit = ({ class: look = 'primary', isRunning = false, disabled, children }: SubmitProps) => (
  <button type="submit" class={look} disabled={isRunning || disabled}>
    {isRunning ? texts.working : children}
  </button>
);
