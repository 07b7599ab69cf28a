import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useKeys } from '../../app/keys.ts';
import { SelectField } from '../../parts/formField.tsx';
import { type ShortColumn, ShortTable } from '../../parts/shortTable.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { Viewer } from './document.tsx';
import { isSame, shownAs } from './fields.ts';
import type { Read } from './read.ts';
import { nameOf, type Spot, useView, type View } from './viewing.ts';

const words = texts.matches;

type ComparisonProps = Readonly<{ own: Read; other: Read; details: unknown }>;

/**
 * Two submissions beside each other: their values with what is alike and what differs, and their documents,
 * where these are alike; a page, a size and a turn are for both.
 */
export const Comparison = ({ own, other, details }: ComparisonProps) => {
  const [active, setActive] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const pairs = pairsIn({ own, other, details });
  // Where files are alike, pointing at a value leads to no others.
  const focused = pairs[0] ? null : active;
  const views = [useView(own, focused, pairs[0]?.[0]), useView(other, focused, pairs[0]?.[1])] as const;
  const tools = togetherOf(views);
  useKeys(tools);
  const choose = (text: string): void => {
    setAt(Number(text));
    pairs[Number(text)]?.map(({ file, page }, side) => views[side]?.show(file.id, page ?? 1));
  };
  const sides = [
    [words.this, own],
    [words.earlier, other],
  ] as const;
  return (
    <>
      <Values {...{ own, other, details, setActive }} />
      {pairs.length > 1 && (
        <SelectField label={words.pairs} value={String(at)} options={pairs.map(choiceOf)} onChange={choose} />
      )}
      <div class="sides">
        {sides.map(([title, read], side) => (
          <div key={title}>
            <h2>
              {title} <small>{read.detail.label}</small>
            </h2>
            <Viewer
              {...{ title, read, active }}
              focused={null}
              view={{ ...views[side as 0 | 1], tools }}
              onActive={setActive}
              onChosen={setActive}
            />
          </div>
        ))}
      </div>
    </>
  );
};

/** Each tool does for all views what it does for one. */
const togetherOf = (views: readonly [View, View]): View['tools'] =>
  views[0].tools.map((tool, index) => ({
    ...tool,
    run: () => {
      for (const view of views) view.tools[index]?.run();
    },
  }));

type Pair = readonly [Spot, Spot];

const choiceOf = ([one, other]: Pair, index: number) => ({
  value: String(index),
  text: say(words.pair, { one: spotText(one), other: spotText(other) }),
});

const spotText = ({ file, page }: Spot): string =>
  page === null ? nameOf(file) : say(words.pageOf, { file: nameOf(file), page });

/** The files, or pages of them, that the check found alike; none where it compared no files. */
const pairsIn = ({ own, other, details }: ComparisonProps): readonly Pair[] => {
  const { pages, files = pages } = (details ?? {}) as Readonly<{ pages?: unknown; files?: unknown }>;
  if (!Array.isArray(files)) return [];
  return files.flatMap(({ fileId, page = null, matchedFileId, matchedPage = null }) => {
    const [file, matched] = [fileIn(own, fileId), fileIn(other, matchedFileId)];
    return file && matched
      ? [
          [
            { file, page },
            { file: matched, page: matchedPage },
          ] as const,
        ]
      : [];
  });
};

const fileIn = ({ detail }: Read, fileId: unknown) => detail.files.find(({ id }) => id === fileId);

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
      values: [shownAs(value) || '–', shownAs(others) || '–'],
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
