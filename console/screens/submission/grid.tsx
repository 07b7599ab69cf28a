import type { TargetedClipboardEvent, TargetedKeyboardEvent } from 'preact';
import { Button } from '../../parts/button.tsx';
import { ScrollRegion } from '../../parts/scrollRegion.tsx';
import { say, texts } from '../../texts.ts';
import {
  emptyRow,
  isOfSpreadsheet,
  rowsIn,
  type TypedRow,
  textOfRows,
  withCell,
  withPasted,
} from './cells.ts';
import { asText, type Field } from './fields.ts';

const own = texts.fields.grid;

type GridProps = Readonly<{
  field: Field;
  id: string;
  /** The rows as the text of the field. */
  shown: string;
  isEditable: boolean;
  isFaulty: boolean;
  type(text: string): void;
  onFocus(): void;
  onBlur(): void;
}>;

/** The cell above or below another one gets the focus; whether there is one. */
const move = (from: HTMLInputElement, by: 1 | -1): boolean => {
  const row = from.closest('tr');
  const other = by === 1 ? row?.nextElementSibling : row?.previousElementSibling;
  const cell = other?.querySelector<HTMLInputElement>(
    `[data-column="${CSS.escape(from.dataset.column ?? '')}"]`,
  );
  cell?.focus();
  return Boolean(cell);
};

/**
 * The rows of a table as a grid: arrows and Enter go from row to row, rows are added and deleted, and pasted
 * from a spreadsheet.
 */
export const Grid = ({ field, id, shown, isEditable, isFaulty, type, onFocus, onBlur }: GridProps) => {
  const columns = field.columns ?? [];
  const names = columns.map(({ name }) => name);
  const rows = rowsIn(shown);
  const set = (next: readonly TypedRow[]): void => type(textOfRows(next));
  const add = (): void => set([...rows, emptyRow(names)]);
  const keyed = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    const { key, ctrlKey, metaKey, shiftKey, currentTarget } = event;
    if (ctrlKey || metaKey || !['Enter', 'ArrowDown', 'ArrowUp'].includes(key)) return;
    const moved = move(currentTarget, key === 'ArrowUp' || (key === 'Enter' && shiftKey) ? -1 : 1);
    // Enter in the last row leaves the grid, as in every other field.
    if (!moved && key === 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
  };
  const pasted =
    (row: number, name: string) =>
    (event: TargetedClipboardEvent<HTMLInputElement>): void => {
      const text = event.clipboardData?.getData('text') ?? '';
      if (!isEditable || !isOfSpreadsheet(text)) return;
      event.preventDefault();
      set(withPasted(rows, names, { row, name }, text));
    };
  return (
    <div class="grid" onFocusIn={onFocus} onFocusOut={onBlur}>
      {rows.length === 0 && <p>{own.none}</p>}
      {rows.length > 0 && (
        <ScrollRegion label={field.label}>
          <table aria-invalid={isFaulty}>
            <thead>
              <tr>
                {columns.map(({ name, label, required }) => (
                  <th key={name} scope="col">
                    {label ?? name}
                    {required && <span title={texts.fields.required}> *</span>}
                  </th>
                ))}
                {isEditable && <td />}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={at}>
                  {columns.map(({ name, label, type: kind }, column) => (
                    <td key={name}>
                      <input
                        id={at + column === 0 ? id : undefined}
                        type="text"
                        dir="auto"
                        autocomplete="off"
                        aria-label={say(own.cell, { column: label ?? name, row: at + 1 })}
                        data-column={name}
                        data-value={at + column === 0 ? field.name : undefined}
                        inputMode={kind === 'number' || kind === 'integer' ? 'decimal' : 'text'}
                        readOnly={!isEditable}
                        value={asText(row[name])}
                        onInput={(event) => set(withCell(rows, at, name, event.currentTarget.value))}
                        onKeyDown={keyed}
                        onPaste={pasted(at, name)}
                      />
                    </td>
                  ))}
                  {isEditable && (
                    <td>
                      <Button
                        class="plain"
                        aria-label={say(own.delete, { row: at + 1 })}
                        onClick={() => set(rows.filter((_, index) => index !== at))}
                      >
                        ×
                      </Button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {isEditable && (
        <p>
          <Button {...(rows.length === 0 ? { id, 'data-value': field.name } : {})} onClick={add}>
            {own.add}
          </Button>{' '}
          <small>{own.paste}</small>
        </p>
      )}
    </div>
  );
};
