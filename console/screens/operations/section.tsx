import type { ComponentChildren } from 'preact';
import type { Action, Resource } from '../../app/resource.ts';
import { Empty, ProblemNotice, Reading } from '../../parts/notice.tsx';
import { ShortTable } from '../../parts/shortTable.tsx';
import { say, texts } from '../../texts.ts';
import type { List } from './read.ts';

type SectionProps<T> = Readonly<{
  title: string;
  actions?: ComponentChildren;
  resource: Resource<T>;
  children(value: T): ComponentChildren;
}>;

/** A part of the screen with what it reads; the last of it stays when it can't be read anew. */
export function Section<T>({ title, actions, resource, children }: SectionProps<T>) {
  return (
    <section>
      <div class="title">
        <h2 id={idOf(title)} tabIndex={-1}>
          {title}
        </h2>
        {actions && <div class="actions">{actions}</div>}
      </div>
      <Reading resource={resource} />
      {resource.value !== null && children(resource.value)}
    </section>
  );
}

/** Brings a section into view by its title, which has the focus then. */
export const goToSection = (title: string): void => document.getElementById(idOf(title))?.focus();

const idOf = (title: string): string => title.replaceAll(/\s+/g, '-');

/** The cells of a row by the names of their columns, in order. */
export type Cells<R, N extends string> = Readonly<Partial<Record<N, Cell<R>>>>;
type Cell<R> = (row: R) => ComponentChildren;

type ListProps<R, N extends string> = Readonly<{
  title: string;
  actions?: ComponentChildren;
  resource: Resource<List<R>>;
  /** What is done to its rows: its problem is shown above them. */
  action?: Action;
  empty: string;
  names: Readonly<Record<N, string>>;
  cells: Cells<R, N>;
  keyOf(row: R): string;
}>;

/** A list as a part of the screen. */
export function ListSection<R, N extends string>(props: ListProps<R, N>) {
  const { title, resource, action, empty, names, cells, keyOf } = props;
  const columns = Object.entries<Cell<R>>(cells as Record<N, Cell<R>>).map(([name, cell]) => ({
    text: names[name as N],
    cell,
  }));
  return (
    <Section title={title} actions={props.actions} resource={resource}>
      {({ data, pagination }) => (
        <>
          {action?.problem && <ProblemNotice problem={action.problem} />}
          {data.length === 0 && <Empty>{empty}</Empty>}
          {data.length > 0 && <ShortTable label={title} columns={columns} rows={data} keyOf={keyOf} />}
          {pagination.hasMore && <small>{say(texts.operations.first, { count: data.length })}</small>}
        </>
      )}
    </Section>
  );
}
