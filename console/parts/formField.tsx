import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Problem } from '../app/problem.ts';

/** What the control of a field needs, so that it is named and its fault is read out with it. */
export type Control = Readonly<{
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}>;

type FieldProps = Readonly<{
  label: string;
  hint?: string | undefined;
  fault?: string | null;
  children(control: Control): ComponentChildren;
}>;

/** A labelled control with its hint, and its fault below it. */
export const FormField = ({ label, hint, fault = null, children }: FieldProps) => {
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div class={fault ? 'field faulty' : 'field'}>
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': fault !== null })}
      {hint && <small id={`${id}-hint`}>{hint}</small>}
      {fault && (
        <small id={`${id}-fault`} class="fault">
          {fault}
        </small>
      )}
    </div>
  );
};

/** The fault that a problem names at a pointer into the body, such as `/email`; null for none. */
export const faultAt = (problem: Problem | null, pointer: string): string | null =>
  problem?.errors?.find((fault) => fault.pointer === pointer)?.detail ?? null;

type TextProps = Readonly<{
  label: string;
  value: string;
  onInput(value: string): void;
  type?: 'text' | 'email' | 'password' | 'date' | 'search';
  autocomplete?: string;
  hint?: string;
  fault?: string | null;
  required?: boolean;
  autofocus?: boolean;
}>;

/** A line of text. */
export const TextField = ({ label, hint, fault, onInput, autofocus, type = 'text', ...input }: TextProps) => (
  <FormField label={label} hint={hint} fault={fault ?? null}>
    {(control) => (
      <input
        {...control}
        {...input}
        // The attributes of inputs are a union by type, which a variable does not fit.
        type={type as 'text'}
        ref={autofocus ? focusOnce : null}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    )}
  </FormField>
);

/** In a dialog that opens later the attribute says where the focus goes. */
const focusOnce = (input: HTMLInputElement | null): void => {
  input?.setAttribute('autofocus', '');
  input?.focus();
};

type SelectProps = Readonly<{
  label: string;
  value: string;
  options: readonly Readonly<{ value: string; text: string }>[];
  onChange(value: string): void;
  hint?: string;
  fault?: string | null;
  required?: boolean;
}>;

/** Values, each with its word, to choose one of. */
export const choicesOf = (words: Readonly<Record<string, string>>): SelectProps['options'] =>
  Object.entries(words).map(([value, text]) => ({ value, text }));

/** One of some values. */
export const SelectField = ({ label, hint, fault, options, onChange, ...select }: SelectProps) => (
  <FormField label={label} hint={hint} fault={fault ?? null}>
    {(control) => (
      <select {...control} {...select} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    )}
  </FormField>
);

type LongTextProps = Readonly<{
  label: string;
  value: string;
  onInput(value: string): void;
  maxLength: number;
  hint?: string;
}>;

/** A text of some lines. */
export const LongTextField = ({ label, hint, onInput, ...area }: LongTextProps) => (
  <FormField label={label} hint={hint}>
    {(control) => (
      <textarea {...control} {...area} rows={3} onInput={(event) => onInput(event.currentTarget.value)} />
    )}
  </FormField>
);
