import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../../../app/announce.tsx';
import { Button } from '../../../parts/button.tsx';
import { say, texts } from '../../../texts.ts';
import { DETAILS, type Editing } from './editing.ts';
import { FieldDetails } from './fieldDetails.tsx';
import { FieldRow } from './fieldRow.tsx';
import { addField, FIELDS, fieldsOf, LIST, moveField, nameOf } from './fields.ts';

const own = texts.workflows.editor;
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

type TableProps = Readonly<{ editing: Editing }>;

/** The fields of a definition: added, removed, moved, and what each is. */
export const FieldTable = ({ editing }: TableProps) => {
  const fields = fieldsOf(editing.definition);
  const root = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<number | null>(null);
  /** What gets the focus once it is on the page. */
  const [wanted, want] = useState<string | null>(null);
  useEffect(() => {
    if (wanted === null) return;
    const found = root.current?.querySelector<HTMLElement>(wanted);
    (found ?? root.current?.querySelector<HTMLElement>('[data-add]'))?.focus();
    want(null);
  }, [wanted]);
  const move = (from: number, to: number): boolean => {
    if (to < 0 || to >= fields.length || to === from) return false;
    editing.change(moveField(editing.definition, from, to), null);
    setOpen(open === from ? to : null);
    announce(say(own.moved, { name: calledAt(from), place: to + 1, count: fields.length }));
    return true;
  };
  const calledAt = (index: number): string => nameOf(fields[index] ?? {}) || String(index + 1);
  const hasFault = (index: number): boolean =>
    DETAILS.some((of) => editing.faultAt(`${FIELDS}/${index}/${of}`) !== null);
  return (
    <div ref={root}>
      <table class="fields">
        <thead>
          <tr>
            {Object.values(own.columns).map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map((_, index) => {
            const isOpen = open === index || hasFault(index);
            return (
              // Rows have no identity but their place: names are typed, and may be the same.
              <Fragment key={index}>
                <FieldRow
                  {...{ editing, index, isOpen }}
                  handle={
                    <Handle
                      name={calledAt(index)}
                      index={index}
                      root={root}
                      move={move}
                      onMoved={(to) => want(`[data-handle="${to}"]`)}
                    />
                  }
                  onToggle={() => setOpen(open === index ? null : index)}
                  onRemove={() => {
                    setOpen(null);
                    want(`[data-handle="${Math.min(index, fields.length - 2)}"]`);
                  }}
                />
                {isOpen && (
                  <tr>
                    <td colSpan={Object.keys(own.columns).length}>
                      <FieldDetails editing={editing} index={index} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {[FIELDS, LIST].map((pointer) => {
        const fault = editing.faultAt(pointer);
        return (
          fault && (
            <p key={pointer} class="fault" tabIndex={-1}>
              {fault}
            </p>
          )
        );
      })}
      <p>
        <small>{own.listHint}</small>
      </p>
      <Button
        data-add=""
        onClick={() => {
          editing.change(addField(editing.definition), null);
          want(`[data-row="${fields.length}"] input`);
        }}
      >
        {own.addField}
      </Button>
    </div>
  );
};

type HandleProps = Readonly<{
  name: string;
  index: number;
  root: Readonly<{ current: HTMLElement | null }>;
  move(from: number, to: number): boolean;
  onMoved(to: number): void;
}>;

/** Moves a row: dragged over another one, or by the arrow keys. */
const Handle = ({ name, index, root, move, onMoved }: HandleProps) => {
  /** Where the row is that is dragged; null while none is. */
  const dragged = useRef<number | null>(null);
  /** Where it belongs while the pointer is there: past the middle of a row, so that none jumps back. */
  const placeAt = (y: number, from: number): number => {
    const rows = [...(root.current?.querySelectorAll('[data-row]') ?? [])];
    const middles = rows.map((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return (top + bottom) / 2;
    });
    return middles.filter((middle, index) => index !== from && middle < y).length;
  };
  const end = (): void => {
    if (dragged.current !== null && dragged.current !== index) onMoved(dragged.current);
    dragged.current = null;
  };
  return (
    <button
      type="button"
      class="handle"
      data-handle={index}
      aria-label={say(own.move, { name })}
      title={say(own.move, { name })}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        dragged.current = index;
      }}
      onPointerMove={({ clientY }) => {
        const { current: from } = dragged;
        if (from === null) return;
        const to = placeAt(clientY, from);
        if (move(from, to)) dragged.current = to;
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={(event) => {
        const step = STEPS[event.key];
        if (step === undefined) return;
        event.preventDefault();
        if (move(index, index + step)) onMoved(index + step);
      }}
    >
      ⇅
    </button>
  );
};
