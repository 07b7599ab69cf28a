import type { ReviewFigures } from '../../../schemas/figures.ts';
import { member } from '../../app/members.ts';
import { useRead, useResource } from '../../app/resource.ts';
import { changeQuery } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { labelsOf } from '../../app/workflowLabels.ts';
import { useWorkflowNames } from '../../app/workflows.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceFilter } from '../../parts/filters.tsx';
import { SelectField } from '../../parts/formField.tsx';
import { Empty, Notice, Reading } from '../../parts/notice.tsx';
import { Plot, type Series } from '../../parts/plot.tsx';
import { duration, number } from '../../parts/quantity.ts';
import { saveTable } from '../../parts/save.ts';
import { Screen } from '../../parts/screen.tsx';
import { ShortTable } from '../../parts/shortTable.tsx';
import { dayOf } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';

const own = texts.figures;

type Day = ReviewFigures['days'][number];
type Count = Exclude<keyof Day, 'date' | 'waitedMs'>;

/** The days that may be chosen, counted back from today. */
const DAYS = [7, 30, 90] as const;
const DAY_MS = 86_400_000;
/** A plot of a few looks as few as they are. */
const FEW = 10;

const COUNTS: readonly Count[] = [
  ...(['received', 'approvedAutomatically', 'approved', 'rejected', 'cancelled'] as const),
  ...(['failed', 'waiting'] as const),
];

/** What became of submissions, day by day, and which fields people corrected. */
const Figures = ({ query }: ScreenProps) => {
  const days = DAYS.find((count) => String(count) === query.get('days')) ?? 30;
  const workflow = query.get('workflow');
  const from = new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  const names = useWorkflowNames();
  const resource = useRead('/api/v1/review-figures', { query: { from, ...(workflow && { workflow }) } });
  const { value } = resource;
  const act = value && (
    <Button onClick={() => saveTable(`figures-${from}`, tableOf(value.days))}>{texts.csv.save}</Button>
  );
  return (
    <Screen title={own.title} actions={act}>
      <search class="filters">
        <SelectField
          label={own.time}
          value={String(days)}
          options={DAYS.map((count) => ({ value: String(count), text: say(own.days, { count }) }))}
          onChange={(chosen) => changeQuery({ days: chosen })}
        />
        <ChoiceFilter
          label={texts.submissions.columns.workflow}
          name="workflow"
          query={query}
          words={names}
        />
      </search>
      <Reading resource={resource} />
      {value && <Shown figures={value} />}
    </Screen>
  );
};
export default Figures;

const Shown = ({ figures }: Readonly<{ figures: ReviewFigures }>) => {
  const { days, weeks, drifts, fields, counted, isCut } = figures;
  if (counted === 0) return <Empty>{own.none}</Empty>;
  const sum = (name: Count): number => days.reduce((all, day) => all + day[name], 0);
  const approved = sum('approvedAutomatically') + sum('approved');
  const share = approved === 0 ? null : Math.round((100 * sum('approvedAutomatically')) / approved);
  return (
    <>
      <p>
        {say(own.counted, { count: counted })} {share !== null && say(own.automatic, { share })}{' '}
        {isCut && own.isCut}
      </p>
      <h2>{own.byDay}</h2>
      <Plots days={days} />
      <h2>{own.byWeek}</h2>
      {drifts.length > 0 && <Drifts drifts={drifts} />}
      <div class="plots">
        <Weeks weeks={weeks} />
      </div>
      <h2>{own.fields}</h2>
      {fields.length === 0 ? <Empty>{own.noFields}</Empty> : <Fields fields={fields} />}
      <p>
        <small>{own.about}</small>
      </p>
    </>
  );
};

const Plots = ({ days }: Readonly<{ days: readonly Day[] }>) => {
  const shared = { step: 'day', times: days.map(({ date }) => date) } as const;
  const counts = (names: readonly Count[]): readonly Series[] =>
    names.map((name) => ({ name: own.names[name], values: days.map((day) => day[name]) }));
  const waits = (['p50', 'p95'] as const).map((name) => ({
    name: own.names[name],
    values: days.map(({ waitedMs }) => waitedMs[name] && waitedMs[name] / 1_000),
  }));
  const automatic = [
    {
      name: own.names.approvedAutomatically,
      values: days.map(({ approvedAutomatically, approved }) =>
        approvedAutomatically + approved === 0
          ? null
          : (100 * approvedAutomatically) / (approvedAutomatically + approved),
      ),
    },
  ];
  const flow = counts(['received', 'approved', 'rejected', 'waiting']);
  return (
    <div class="plots">
      <Plot {...{ ...shared, title: own.flow, atLeast: FEW, format: number, series: flow }} />
      <Plot {...{ ...shared, title: own.wait, atLeast: 60, format: duration, series: waits }} />
      <Plot {...{ ...shared, title: own.share, atLeast: 100, format: percent, series: automatic }} />
    </div>
  );
};

/** Which fields are read worse, since when, and by how much. */
const Drifts = ({ drifts }: Pick<ReviewFigures, 'drifts'>) => {
  const names = useWorkflowNames();
  const called = useLabels(drifts);
  return (
    <Notice kind="warning">
      {drifts.map(({ workflow, field, since, before, after }) => (
        <p key={`${workflow} ${field}`}>
          {say(own.drift, {
            field: called({ workflow, field }) ?? field,
            workflow: names[workflow] ?? workflow,
            since: dayOf(since),
            before: percent(100 * before.share),
            after: percent(100 * after.share),
          })}
        </p>
      ))}
    </Notice>
  );
};

/** How much of what people approved was right as it was read, and how much was wrong though sure. */
const Weeks = ({ weeks }: Pick<ReviewFigures, 'weeks'>) => {
  const times = [...new Set(weeks.map(({ week }) => week))];
  const sharesOf = (name: 'right' | 'correctedSure') =>
    times.map((time) => {
      const fields = weeks.flatMap(({ week, fields }) => (week === time ? fields : []));
      const sum = (count: 'right' | 'corrected' | 'correctedSure'): number =>
        fields.reduce((all, field) => all + field[count], 0);
      return fields.length === 0 ? null : (100 * sum(name)) / (sum('right') + sum('corrected'));
    });
  const series = (['right', 'correctedSure'] as const).map((name) => ({
    ...{ name: own.names[name], values: sharesOf(name) },
  }));
  return <Plot {...{ step: 'week', times, title: own.reading, atLeast: 100, format: percent, series }} />;
};

const percent = (value: number): string => say(own.percent, { value: number(value) });

type FieldOf = Readonly<{ workflow: string; field: string }>;

/** What the person's company calls a field of these; undefined while that is read, and where it can't be. */
const useLabels = (fields: readonly FieldOf[]) => {
  const slugs = [...new Set(fields.map(({ workflow }) => workflow))];
  const { value } = useResource(slugs.join(' '), async (signal) =>
    Object.fromEntries(
      await Promise.all(slugs.map(async (slug) => [slug, await labelsOf(slug, signal)] as const)),
    ),
  );
  return ({ workflow, field }: FieldOf): string | undefined =>
    member(member(value ?? {}, workflow) ?? {}, field);
};

const Fields = ({ fields }: Pick<ReviewFigures, 'fields'>) => {
  const names = useWorkflowNames();
  const called = useLabels(fields);
  return (
    <ShortTable
      label={own.fields}
      columns={[
        {
          text: own.field,
          cell: (row) => {
            const label = called(row);
            return (
              <>
                {label} {label === undefined ? row.field : <small>{row.field}</small>}
              </>
            );
          },
        },
        { text: texts.submissions.columns.workflow, cell: ({ workflow }) => names[workflow] ?? workflow },
        { text: own.corrected, align: 'end', cell: ({ corrected }) => number(corrected) },
        { text: own.ofApprovals, align: 'end', cell: ({ approved }) => number(approved) },
        {
          text: own.correctedShare,
          align: 'end',
          cell: ({ corrected, approved }) => percent((100 * corrected) / approved),
        },
      ]}
      rows={fields}
      keyOf={({ workflow, field }) => `${workflow} ${field}`}
    />
  );
};

const tableOf = (days: readonly Day[]) => [
  [own.date, ...COUNTS.map((name) => own.names[name]), own.names.p50, own.names.p95],
  ...days.map((day) => [
    day.date,
    ...COUNTS.map((name) => day[name]),
    seconds(day, 'p50'),
    seconds(day, 'p95'),
  ]),
];

const seconds = ({ waitedMs }: Day, name: 'p50' | 'p95'): number | null =>
  waitedMs[name] === null ? null : waitedMs[name] / 1_000;
