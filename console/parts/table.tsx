import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from '../app/keys.ts';
import type { Pages } from '../app/pages.ts';
import { say, texts } from '../texts.ts';
import { Empty, ProblemNotice, Skeleton } from './notice.tsx';
import { ScrollRegion } from './scrollRegion.tsx';
import { PickAll, PickRow, type Selection } from './selection.tsx';

/**
 * A column: its heading, its share of the width, and its cell in a row; the first one’s has the link or
 * button of the row.
 */
export type Column<R> = Readonly<{
  text: string;
  share: number;
  /** `end`: of numbers, whose digits stand below each other. */
  align?: 'end';
  cell(row: R): ComponentChildren;
}>;

type TableProps<R> = Readonly<{
  label: string;
  columns: readonly Column<R>[];
  pages: Pages<R>;
  keyOf(row: R): string;
  empty: string;
  /** Which rows are selected; without it none can be. */
  selection?: Selection<R> | undefined;
}>;

/** The height of every row, in pixels: which ones are in view follows from it. A narrow page has cards. */
const rowHeight = (): number => (window.innerWidth > 800 ? 40 : 112);
/** Rows beyond the view that are there all the same, above and below. */
const MARGIN = 10;

/**
 * A list of any length: only the rows in view are on the page, and more are read as the person gets there.
 */
export function Table<R>({ label, columns: all, pages, keyOf, empty, selection }: TableProps<R>) {
  const columns = filled(all, pages.rows);
  const { rows, hasMore, problem, more, reload } = pages;
  const scroller = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const height = scroller.current?.clientHeight || 600;
  const first = Math.max(0, Math.floor(top / rowHeight()) - MARGIN);
  const last = Math.min(rows.length, Math.ceil((top + height) / rowHeight()) + MARGIN);
  useEffect(() => {
    if (hasMore && last >= rows.length - MARGIN) more();
  }, [last, rows.length, hasMore]);
  useRowKeys(scroller, rows.length);
  useSelectionKey(selection, rows);
  if (problem && rows.length === 0) return <ProblemNotice problem={problem} retry={reload} />;
  if (hasMore === null) return <Skeleton lines={8} />;
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <>
      <ScrollRegion own={scroller} class="rows" label={label} onScroll={setTop}>
        <table aria-rowcount={hasMore ? -1 : rows.length + 1}>
          <Head columns={columns} selection={selection} />
          <Body {...{ columns, rows, first, last, keyOf, selection }} />
        </table>
      </ScrollRegion>
      {problem && <ProblemNotice problem={problem} retry={more} />}
      <p>
        <small role="status">
          {say(hasMore ? texts.table.first : texts.table.count, { count: rows.length })}
        </small>
      </p>
    </>
  );
}

/** The first column, and those in which some row has something. */
function filled<R>(columns: readonly Column<R>[], rows: readonly R[]): readonly Column<R>[] {
  return columns.filter(({ cell }, index) => index === 0 || rows.some((row) => !isBlank(cell(row))));
}

const isBlank = (cell: ComponentChildren): boolean =>
  cell === null || cell === undefined || cell === false || cell === '';

function Head<R>({ columns, selection }: Pick<TableProps<R>, 'columns' | 'selection'>) {
  const whole = columns.reduce((sum, { share }) => sum + share, selection ? 1 : 0);
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection && (
          <td class="pick" style={{ width: `${100 / whole}%` }}>
            <PickAll selection={selection} />
          </td>
        )}
        {columns.map(({ text, share, align }) => (
          <th key={text} scope="col" class={align} style={{ width: `${(100 * share) / whole}%` }}>
            {text}
          </th>
        ))}
      </tr>
    </thead>
  );
}

type BodyProps<R> = Pick<TableProps<R>, 'columns' | 'keyOf' | 'selection'> &
  Readonly<{ rows: readonly R[]; first: number; last: number }>;

/** The rows from the first to before the last, and the height of the others. */
function Body<R>({ columns, rows, first, last, keyOf, selection }: BodyProps<R>) {
  return (
    <tbody>
      <Gap rows={first} />
      {rows.slice(first, last).map((row, index) => (
        <tr key={keyOf(row)} aria-rowindex={first + index + 2} data-row={first + index}>
          {selection && (
            <td class="pick">
              <PickRow selection={selection} row={row} />
            </td>
          )}
          {columns.map(({ text, align, cell }) => (
            <td key={text} class={align} data-column={text}>
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
      <Gap rows={rows.length - last} />
    </tbody>
  );
}

/** As high as the rows that are not on the page. */
const Gap = ({ rows }: Readonly<{ rows: number }>) =>
  rows > 0 ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row can't be focused
    <tr aria-hidden="true" class="gap">
      <td style={{ height: `${rows * rowHeight()}px` }} />
    </tr>
  ) : null;

/** The number of the row that has the focus; null for none. */
const focusedRow = (): number | null => {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row;
  return row === undefined ? null : Number(row);
};

const focusRow = (view: HTMLElement | null, row: number): boolean => {
  const link = view?.querySelector<HTMLElement>(`[data-row="${row}"] :is(a, button)`);
  link?.focus({ preventScroll: true });
  return Boolean(link);
};

/** The space bar selects the row that has the focus. */
function useSelectionKey<R>(selection: Selection<R> | undefined, rows: readonly R[]): void {
  const pick = ({ shiftKey }: KeyboardEvent): void => {
    const row = rows[focusedRow() ?? -1];
    if (row !== undefined) selection?.pick(row, shiftKey);
  };
  const binding = { key: ' ', within: '[data-row] a', text: texts.selection.key, run: pick } as const;
  useKeys(selection ? [binding] : []);
}

/**
 * Arrows, `j` and `k` go from row to row; Enter then follows the row's link, or presses its button. A row
 * that goes leaves the focus to the next.
 */
const useRowKeys = (scroller: Readonly<{ current: HTMLElement | null }>, count: number): void => {
  const current = useRef(-1);
  const isComing = useRef(false);
  const before = focusedRow();
  useLayoutEffect(() => {
    if (before !== null && focusedRow() === null && document.activeElement === document.body)
      focusRow(scroller.current, Math.min(count - 1, before));
  });
  const go = (to: number): void => {
    const from = (isComing.current ? null : focusedRow()) ?? current.current;
    current.current = Math.min(count - 1, Math.max(0, from + to));
    const view = scroller.current;
    if (!view) return;
    const at = current.current * rowHeight();
    if (at < view.scrollTop || at > view.scrollTop + view.clientHeight - 2 * rowHeight())
      view.scrollTop = at - view.clientHeight / 2;
    if (focusRow(view, current.current)) return;
    // A row that has just come into view is on the page with the next frame.
    isComing.current = true;
    requestAnimationFrame(() => {
      isComing.current = false;
      focusRow(view, current.current);
    });
  };
  useKeys([
    { key: 'j', or: 'ArrowDown', text: texts.table.next, repeats: true, run: () => go(1) },
    { key: 'k', or: 'ArrowUp', text: texts.table.previous, repeats: true, run: () => go(-1) },
  ]);
};
