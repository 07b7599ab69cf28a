import { useState } from 'preact/hooks';
import type { Counts } from '../../../schemas/reviewQueue.ts';
import { changeQuery, hrefOf, navigate } from '../../app/router.ts';
import { useWorkflowNames } from '../../app/workflows.ts';
import { type FilterOf, FoldedFilters, filtersIn } from '../../parts/filters.tsx';
import { SelectField, TextField } from '../../parts/formField.tsx';
import { say, texts } from '../../texts.ts';

/** The order and filters, each a value of the address by the name that the API has for it; empty for none. */
export type Filters = Readonly<Record<FilterOf<'/api/v1/review-queue'>, string>>;

const own = texts.queue;
const { columns } = texts.submissions;

const labels: Filters = {
  order: own.order,
  workflow: columns.workflow,
  reason: own.reason,
  fraudStatus: columns.fraud,
  claimed: own.claimed,
  assigned: own.assigned,
  postponed: own.postponed,
};

/** Those of an address. */
export const filtersOf = (query: URLSearchParams): Filters => filtersIn(labels, query);

/** From this on reasons and fraud statuses are not counted any further. */
const MOST = 1_000;

type Option = Readonly<{ value: string; text: string }>;
type Count = readonly [value: string, waiting: number];
type Words = Readonly<Record<string, string>>;
type FilterProps = Readonly<{ filters: Filters; counts: Counts | null; mayClaim: boolean }>;

const orders: readonly Option[] = [
  { value: '', text: own.orders.oldest },
  { value: 'riskiest', text: own.orders.riskiest },
];

/** The order, and filters with how many wait behind each. */
export const QueueFilters = ({ filters, counts, mayClaim }: FilterProps) => {
  const names = useWorkflowNames();
  const { waiting = 0, workflows = [], reasons = [], fraudStatuses = [] } = counts ?? {};
  const { mine = 0, others = 0 } = counts?.claimed ?? {};
  const claims = { none: Math.max(0, waiting - mine - others), mine, others };
  const any = { value: '', text: say(own.counted, { text: texts.submissions.any, count: waiting }) };
  const filter = (name: keyof Filters, found: readonly Count[], words: Words, most?: number) => (
    <Choice {...{ filters, name }} options={[any, ...optionsOf(found, filters[name], words, most)]} />
  );
  const bySlug = workflows.map(({ slug, waiting: count }): Count => [slug, count]);
  const byReason = reasons.map(({ code, waiting: count }): Count => [code, count]);
  const byFraud = fraudStatuses.map(({ fraudStatus, waiting: count }): Count => [fraudStatus, count]);
  return (
    <FoldedFilters first={<Search />} count={Object.values(filters).filter(Boolean).length}>
      <Choice filters={filters} name="order" options={orders} />
      {filter('workflow', bySlug, names)}
      {filter('reason', byReason, own.reasons, MOST)}
      {filter('fraudStatus', byFraud, texts.fraudStatuses, MOST)}
      {mayClaim && filter('claimed', Object.entries(claims), own.claims)}
      {mayClaim && <Choice filters={filters} name="assigned" options={assignments(counts?.assigned)} />}
      <Choice filters={filters} name="postponed" options={postponements(counts?.postponed)} />
    </FoldedFilters>
  );
};

/** Searches all that are in review, also those that somebody has open or that are put off. */
const Search = () => {
  const [text, setText] = useState('');
  const find = (event: Event): void => {
    event.preventDefault();
    if (text.trim() !== '') navigate(hrefOf('/submissions', { q: text.trim(), status: 'review' }));
  };
  return (
    <form onSubmit={find}>
      <TextField
        label={texts.submissions.search}
        hint={texts.submissions.searchHint}
        type="search"
        value={text}
        onInput={setText}
      />
    </form>
  );
};

/** Whose a review is: how many are the person’s own is counted. */
const assignments = (mine = 0): readonly Option[] => [
  { value: '', text: texts.submissions.any },
  { value: 'mine', text: say(own.counted, { text: own.claims.mine, count: mine }) },
  { value: 'others', text: own.claims.others },
  { value: 'none', text: own.claims.none },
];

const postponements = (count = 0): readonly Option[] => [
  { value: '', text: own.postponements.due },
  { value: 'only', text: say(own.counted, { text: own.postponements.only, count }) },
  { value: 'with', text: own.postponements.with },
];

type ChoiceProps = Readonly<{
  filters: Filters;
  name: keyof Filters;
  options: readonly Option[];
}>;

const Choice = ({ filters, name, options }: ChoiceProps) => (
  <SelectField
    label={labels[name]}
    value={filters[name]}
    options={options}
    onChange={(value) => changeQuery({ [name]: value })}
  />
);

/** Values with how many wait, and the one that is chosen even if none does. `most`: so many, or more. */
const optionsOf = (
  counts: readonly Count[],
  chosen: string,
  words: Words,
  most = Number.POSITIVE_INFINITY,
): readonly Option[] => {
  const isThere = chosen === '' || counts.some(([value]) => value === chosen);
  const all = isThere ? counts : [...counts, [chosen, 0] as const];
  return all.map(([value, count]) => ({
    value,
    text: say(count < most ? own.counted : own.countedAtLeast, { text: words[value] ?? value, count }),
  }));
};
