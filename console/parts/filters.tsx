import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ListPath, Options } from '../../client/types.ts';
import { changeQuery } from '../app/router.ts';
import { zone } from '../app/zone.ts';
import { say, texts } from '../texts.ts';
import { Button } from './button.tsx';
import { choicesOf, FormField, SelectField, TextField } from './formField.tsx';

type Filter = Readonly<{
  /** Its name in the address, which is the API's. */
  name: string;
  query: URLSearchParams;
}>;

/** The names of the filters that the API has of a list. */
export type FilterOf<P extends ListPath> = Exclude<
  keyof NonNullable<Options<'get', P>['query']>,
  'limit' | 'cursor' | 'wait' | 'decidedSince'
>;

/** The control of each of them; null where the screen has none. */
export type Controls<P extends ListPath> = Readonly<Record<FilterOf<P>, ((filter: Filter) => VNode) | null>>;

/** What those of these filters that are not null are set to; empty where one is not. */
export const filtersIn = <Name extends string>(
  all: Readonly<Record<Name, unknown>>,
  query: URLSearchParams,
): Readonly<Record<Name, string>> =>
  Object.fromEntries(
    Object.entries(all).map(([name, one]) => [name, (one && query.get(name)) ?? '']),
  ) as Record<Name, string>;

type BarProps = Readonly<{
  controls: Readonly<Record<string, ((filter: Filter) => VNode) | null>>;
  query: URLSearchParams;
  children?: ComponentChildren;
}>;

/** The filters of a list, behind what else finds something of it. */
export const FilterBar = ({ controls: { q: Search, ...controls }, query, children }: BarProps) => (
  <FoldedFilters
    first={children ?? (Search && <Search name="q" query={query} />)}
    count={Object.keys(controls).filter((name) => controls[name] && query.get(name)).length}
  >
    {Object.entries(controls).map(
      ([name, Control]) => Control && <Control key={name} {...{ name, query }} />,
    )}
  </FoldedFilters>
);

type FoldedProps = Readonly<{ first: ComponentChildren; count: number; children: ComponentChildren }>;

/** Filters, which a narrow page has behind a button: it says how many are set. `first` is always there. */
export const FoldedFilters = ({ first, count, children }: FoldedProps) => {
  const [isOpen, open] = useState(false);
  const { filters: text, filtersSet } = texts.table;
  return (
    <search class={isOpen ? 'filters open' : 'filters'}>
      {first}
      <Button class="unfold" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        {count > 0 ? say(filtersSet, { count }) : text}
      </Button>
      {children}
    </search>
  );
};

type FilterProps = Filter & Readonly<{ label: string; hint?: string }>;

type ChoiceProps = FilterProps & Readonly<{ words: Readonly<Record<string, string>> }>;

/** A filter of some values, each in a word; any of them where none is chosen. */
export const ChoiceFilter = ({ label, name, query, words }: ChoiceProps) => (
  <SelectField
    label={label}
    value={query.get(name) ?? ''}
    options={[{ value: '', text: texts.submissions.any }, ...choicesOf(words)]}
    onChange={(value) => changeQuery({ [name]: value })}
  />
);

/** Goes to the box of a list that is searched. */
export const searchKey = {
  key: '/',
  text: texts.submissions.search,
  run: (): void => document.querySelector<HTMLInputElement>('main search input[type="search"]')?.focus(),
} as const;

const TYPED_MS = 400;

/** A filter that is typed: it counts once the person pauses. */
export const TypedFilter = ({ label, hint, name, query }: FilterProps) => {
  const value = query.get(name) ?? '';
  const [text, setText] = useState(value);
  useEffect(() => {
    if (text.trim() !== value) setText(value);
  }, [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => changeQuery({ [name]: text.trim() }), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return <TextField {...{ label, value: text, ...(hint && { hint }) }} type="search" onInput={setText} />;
};

/** A filter by a time, in the person's own time zone. */
export const TimeFilter = ({ label, name, query }: FilterProps) => (
  <TimeField label={label} value={query.get(name) ?? ''} onChange={(at) => changeQuery({ [name]: at })} />
);

type TimeProps = Readonly<{
  label: string;
  /** ISO 8601; empty for none. */
  value: string;
  onChange(value: string): void;
  required?: boolean;
}>;

const MINUTE_MS = 60_000;

/** A time in ISO 8601 as its control has it: in the zone that is chosen. */
const typedOf = (at: string): string => {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return '';
  const offset = zone.get() === 'UTC' ? 0 : time.getTimezoneOffset();
  return new Date(time.getTime() - offset * MINUTE_MS).toISOString().slice(0, 19);
};

const timeOf = (typed: string): string => new Date(zone.get() === 'UTC' ? `${typed}Z` : typed).toISOString();

/** A point in time, to the second. */
export const TimeField = ({ label, value, onChange, required = false }: TimeProps) => (
  <FormField label={label}>
    {(control) => (
      <input
        {...control}
        type="datetime-local"
        step={1}
        required={required}
        value={typedOf(value)}
        onChange={({ currentTarget: { value: text } }) => onChange(text === '' ? '' : timeOf(text))}
      />
    )}
  </FormField>
);
