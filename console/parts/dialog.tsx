import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Problem } from '../app/problem.ts';
import { useAction } from '../app/resource.ts';
import { texts } from '../texts.ts';
import { Button } from './button.tsx';
import { Form, Submit } from './form.tsx';
import { ProblemNotice } from './notice.tsx';

type DialogProps = Readonly<{
  title: string;
  children: ComponentChildren;
  /** Without it the dialog stays until it is no longer rendered. */
  onClose?: () => void;
}>;

/** A modal dialog: the focus stays in it, and goes back where it was. */
export const Dialog = ({ title, children, onClose }: DialogProps) => {
  const own = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed before it leaves the page: only then the focus goes back.
  useLayoutEffect(() => {
    const dialog = own.current;
    dialog?.showModal();
    // What is asked comes before the way out.
    if (document.activeElement?.matches('.head button'))
      dialog?.querySelector<HTMLElement>('form :is(input, select, textarea)')?.focus();
    return () => dialog?.close();
  }, []);
  const cancel = (event: Event): void => {
    event.preventDefault();
    onClose?.();
  };
  // Browsers close it on a second Escape, whatever is done about the first.
  const closed = (): void => {
    if (!own.current || own.current.open) return;
    if (onClose) onClose();
    else own.current.showModal();
  };
  /** Does what the dialog asks for; one that asks for nothing closes. */
  const end = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    if (event.repeat) return;
    const act = own.current?.querySelector<HTMLElement>('[type=submit], .primary');
    if (act) act.click();
    else onClose?.();
  };
  return (
    <dialog ref={own} aria-labelledby={id} onCancel={cancel} onClose={closed} onKeyDown={end}>
      <div class="head">
        <h2 id={id}>{title}</h2>
        {onClose && (
          <Button class="plain" aria-label={texts.close} onClick={onClose}>
            ×
          </Button>
        )}
      </div>
      {children}
    </dialog>
  );
};

type ConfirmProps = Readonly<{
  title: string;
  /** What the button says: the act itself, not "OK". */
  act: string;
  danger?: boolean;
  /** False while there is nothing to do. */
  isReady?: boolean;
  /** With the refusal of the last try, for those whose fields it is about. */
  children?: ComponentChildren | ((problem: Problem | null) => ComponentChildren);
  work(): Promise<void>;
  onClose(): void;
}>;

/** Asks before something is done, does it, and shows why it was refused. */
export const ConfirmDialog = ({
  title,
  act,
  danger,
  isReady = true,
  children,
  work,
  onClose,
}: ConfirmProps) => {
  const { isRunning, problem, start } = useAction();
  const submit = async (): Promise<void> => {
    if (await start(work)) onClose();
  };
  return (
    <Dialog title={title} {...(isRunning ? {} : { onClose })}>
      <Form onSubmit={submit}>
        {typeof children === 'function' ? children(problem) : children}
        {problem && <ProblemNotice problem={problem} />}
        <div class="actions">
          <Button disabled={isRunning} onClick={onClose}>
            {texts.cancel}
          </Button>
          <Submit class={danger ? 'danger' : 'primary'} isRunning={isRunning} disabled={!isReady}>
            {act}
          </Submit>
        </div>
      </Form>
    </Dialog>
  );
};
