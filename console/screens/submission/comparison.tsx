import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { type ShortColumn, ShortTable } from '../../parts/shortTable.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';
import { Document } from './document.tsx';
import { asText, isSame } from './fields.ts';
import type { Read } from './read.ts';

const words = texts.matches;

type ComparisonProps = Readonly<{ own: Read; other: Read; details: unknown }>;

/** Two submissions beside each other: their documents, and their values with what is alike and what differs. */
export const Comparison = ({ own, other, details }: ComparisonProps) => {
  const [active, setActive] = useState<string | null>(null);
  const sides = [
    [words.this, own],
    [words.earlier, other],
  ] as const;
  return (
    <>
      <Values {...{ own, other, details, setActive }} />
      <div class="sides">
        {sides.map(([title, { detail, fields }]) => (
          <div key={title}>
            <h2>
              {title} <small>{detail.clientSubmissionId ?? detail.id}</small>
            </h2>
            <Document
              title={title}
              submissionId={detail.id}
              files={detail.files}
              fields={fields}
              active={active}
              focused={active}
              onActive={setActive}
              onChosen={setActive}
              hasKeys={false}
            />
          </div>
        ))}
      </div>
    </>
  );
};

/** The fields that the check compared; empty where it compared no fields. */
const comparedIn = (details: unknown): readonly string[] => {
  const { fields } = (details ?? {}) as Readonly<{ fields?: unknown }>;
  return Array.isArray(fields) ? fields.filter((name) => typeof name === 'string') : [];
};

type ValuesProps = ComparisonProps & Readonly<{ setActive(name: string | null): void }>;

/** A line of the table; `isSame` is null of what is not to be alike. */
type Line = Readonly<{
  name: string | null;
  label: ComponentChildren;
  values: readonly [ComponentChildren, ComponentChildren];
  isSame: boolean | null;
}>;

const linesOf = ({ own, other, details }: ComparisonProps): readonly Line[] => {
  const compared = comparedIn(details);
  const fields = own.fields.map(({ name, label, value }): Line => {
    const others = other.fields.find((field) => field.name === name)?.value ?? null;
    return {
      name,
      label: (
        <>
          {label} {compared.includes(name) && <small>{words.compared}</small>}
        </>
      ),
      values: [asText(value) || '–', asText(others) || '–'],
      isSame: isSame(value, others),
    };
  });
  const created = [own, other].map(({ detail }) => <When key={detail.id} at={detail.createdAt} exact />);
  const label = texts.submissions.columns.created;
  return [...fields, { name: null, label, values: [created[0], created[1]], isSame: null }];
};

const columns: readonly ShortColumn<Line>[] = [
  { text: words.field, cell: ({ label }) => label },
  { text: words.this, cell: ({ values }) => values[0] },
  { text: words.earlier, cell: ({ values }) => values[1] },
  {
    text: words.alike,
    cell: (line) => line.isSame !== null && (line.isSame ? words.same : words.different),
  },
];

const Values = ({ setActive, ...compared }: ValuesProps) => (
  <ShortTable
    label={words.values}
    columns={columns}
    rows={linesOf(compared)}
    keyOf={({ name }) => name ?? ''}
    attributes={(line) => ({
      class: line.isSame === false ? 'different' : undefined,
      onMouseEnter: () => setActive(line.name),
      onMouseLeave: () => setActive(null),
    })}
  />
);
