import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Button } from '../../../parts/button.tsx';
import { say, texts } from '../../../texts.ts';
import { inputs } from '../../submission/typing.ts';
import { wordOf } from '../lines.ts';
import { put, textsAt, valueAt } from './definition.ts';
import type { Editing } from './editing.ts';
import { FIELDS, fieldsOf, LIST, nameOf, removeField, renameField, toggleListed } from './fields.ts';

/** The types that the form offers: it has no place for the columns of a table. */
const plain = Object.keys(inputs).filter((type) => type !== 'table');

const own = texts.workflows.editor;

type RowProps = Readonly<{
  editing: Editing;
  index: number;
  isOpen: boolean;
  /** What moves it: a handle to drag, and the arrow keys on it. */
  handle: ComponentChildren;
  onToggle(): void;
  onRemove(): void;
}>;

/** A field in the table: what is needed of each. */
export const FieldRow = ({ editing, index, isOpen, handle, onToggle, onRemove }: RowProps) => {
  const { definition, change } = editing;
  const at = `${FIELDS}/${index}`;
  const field = fieldsOf(definition)[index] ?? {};
  const name = nameOf(field);
  const called = name || String(index + 1);
  const before = useRef(name);
  const set = (of: string, value: unknown): void =>
    change(put(definition, `${at}/${of}`, value), `${at}/${of}`);
  const cell = (of: keyof typeof own.columns, control: CellProps['children']) => (
    <Cell
      column={own.columns[of]}
      label={say(own.columnOf, { column: own.columns[of], name: called })}
      fault={editing.faultAt(`${at}/${of}`)}
    >
      {control}
    </Cell>
  );
  const isRequired = valueAt(definition, `${at}/required`) === true;
  const type = valueAt(definition, `${at}/type`);
  return (
    <tr data-row={index}>
      <td>{handle}</td>
      {cell('name', (control) => (
        <input
          {...control}
          value={name}
          spellcheck={false}
          onFocus={() => {
            before.current = name;
          }}
          onInput={({ currentTarget }) => set('name', currentTarget.value)}
          onBlur={() => {
            // Only then: on its way a name may be that of another field.
            if (name !== before.current) change(renameField(definition, index, before.current), `${at}/name`);
          }}
        />
      ))}
      {cell('label', (control) => (
        <input
          {...control}
          value={textOf(field.label)}
          onInput={({ currentTarget }) => set('label', currentTarget.value || undefined)}
        />
      ))}
      {cell('type', (control) => (
        <select
          {...control}
          value={textOf(type)}
          onChange={({ currentTarget }) => set('type', currentTarget.value)}
        >
          {[...new Set<string>([...plain, textOf(type)])].map((one) => (
            <option key={one} value={one}>
              {wordOf(one)}
            </option>
          ))}
        </select>
      ))}
      {cell('required', (control) => (
        <input
          {...control}
          type="checkbox"
          checked={isRequired}
          onChange={() => set('required', !isRequired)}
        />
      ))}
      {cell('list', (control) => (
        <input
          {...control}
          type="checkbox"
          disabled={name === ''}
          checked={textsAt(definition, LIST).includes(name)}
          onChange={() => change(toggleListed(definition, name), LIST)}
        />
      ))}
      <td class="actions">
        <Button aria-expanded={isOpen} aria-label={say(own.moreOf, { name: called })} onClick={onToggle}>
          {own.more}
        </Button>
        <Button
          aria-label={say(own.removeField, { name: called })}
          onClick={() => {
            change(removeField(definition, index), null);
            onRemove();
          }}
        >
          {own.remove}
        </Button>
      </td>
    </tr>
  );
};

/** A text as it is typed; of anything else, its JSON. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

type CellProps = Readonly<{
  column: string;
  label: string;
  fault: string | null;
  children(
    control: Readonly<{
      'aria-label': string;
      'aria-describedby': string | undefined;
      'aria-invalid': boolean;
    }>,
  ): ComponentChildren;
}>;

const Cell = ({ column, label, fault, children }: CellProps) => {
  const id = useId();
  return (
    <td class={fault ? 'faulty' : undefined} data-column={column}>
      {children({
        'aria-label': label,
        'aria-describedby': fault ? id : undefined,
        'aria-invalid': fault !== null,
      })}
      {fault && (
        <small id={id} class="fault">
          {fault}
        </small>
      )}
    </td>
  );
};
