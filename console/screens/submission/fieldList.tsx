import type { TargetedKeyboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useKeys } from '../../app/keys.ts';
import { member } from '../../app/members.ts';
import type { Problem } from '../../app/problem.ts';
import { useStore } from '../../app/store.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, Notice } from '../../parts/notice.tsx';
import { say, texts } from '../../texts.ts';
import { draft, drafts, dropDraft, isRestored } from './drafts.ts';
import { FieldEditor } from './fieldEditor.tsx';
import { doubtfulFirst, type Field, isDoubtful } from './fields.ts';

const own = texts.fields;

type ListProps = Readonly<{
  submissionId: string;
  fields: readonly Field[];
  active: string | null;
  isEditable: boolean;
  problem: Problem | null;
  onFocus(name: string | null): void;
  onHover(name: string | null): void;
}>;

/** The control of a field, or of the first one. */
export const focusField = (name?: string): void =>
  document
    .querySelector<HTMLElement>(name === undefined ? '[data-value]' : `[data-value="${CSS.escape(name)}"]`)
    ?.focus();

const isLine = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement && target.matches('input, textarea');

/** Enter goes to the next of the controls in a list, Shift+Enter to the one before. */
const step = (event: TargetedKeyboardEvent<HTMLElement>): void => {
  const { key, ctrlKey, metaKey, shiftKey, target, currentTarget } = event;
  if (key !== 'Enter' || ctrlKey || metaKey || !isLine(target)) return;
  event.preventDefault();
  const controls = [...currentTarget.querySelectorAll<HTMLElement>('[data-value]')];
  controls[controls.indexOf(target) + (shiftKey ? -1 : 1)]?.focus();
};

/** The fields, the doubtful ones first: Enter goes from one to the next. */
export const FieldList = ({ submissionId, fields, active, isEditable, ...others }: ListProps) => {
  const [isSorted, sort] = useState(true);
  const typed = useStore(drafts)[submissionId] ?? {};
  const doubtful = fields.filter(isDoubtful).length;
  useKeys([
    { key: 'f', text: own.first, run: () => focusField() },
    { key: 'o', text: own.order, run: () => sort(!isSorted) },
    { key: 'Escape', text: own.leave, run: () => (document.activeElement as HTMLElement | null)?.blur() },
  ]);
  if (fields.length === 0) return <Empty>{own.none}</Empty>;
  return (
    <fieldset class="values" onKeyDown={step}>
      <legend>
        {own.title}{' '}
        <small>
          {isEditable && (doubtful === 0 ? own.noneDoubtful : say(own.doubtful, { count: doubtful }))}
        </small>
      </legend>
      {doubtful > 0 && (
        <Button class="plain" aria-pressed={isSorted} onClick={() => sort(!isSorted)}>
          {own.order}
        </Button>
      )}
      {isRestored(submissionId) && (
        <Notice kind="info">
          {own.restored} <Button onClick={() => dropDraft(submissionId)}>{own.drop}</Button>
        </Notice>
      )}
      {(isSorted ? doubtfulFirst(fields) : fields).map((field) => (
        <FieldEditor
          key={field.name}
          {...{ field, isEditable, ...others }}
          text={member(typed, field.name)}
          isActive={field.name === active}
          onType={(text) => draft(submissionId, field.name, text)}
        />
      ))}
      {isEditable && <small>{own.keys}</small>}
    </fieldset>
  );
};
