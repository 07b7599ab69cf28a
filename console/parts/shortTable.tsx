import type { HTMLAttributes } from 'preact';
import { ScrollRegion } from './scrollRegion.tsx';
import type { Column } from './table.tsx';

export type ShortColumn<R> = Omit<Column<R>, 'share'>;

type TableProps<R> = Readonly<{
  label: string;
  columns: readonly ShortColumn<R>[];
  rows: readonly R[];
  keyOf(row: R): string;
  /** What its element has besides. */
  attributes?(row: R): HTMLAttributes<HTMLTableRowElement>;
}>;

/** A table of some rows, each of which the first cell names. A longer list is a `Table`. */
export function ShortTable<R>({ label, columns, rows, keyOf, attributes }: TableProps<R>) {
  const [first, ...others] = columns;
  return (
    <ScrollRegion label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ text, align }) => (
              <th key={text} scope="col" class={align}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...attributes?.(row)}>
              <th scope="row">{first?.cell(row)}</th>
              {others.map(({ text, align, cell }) => (
                <td key={text} class={align}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
