import type { Activity as Row } from '../../../schemas/activity.ts';
import { usePages } from '../../app/pages.ts';
import { useNames } from '../../app/people.ts';
import { encoded, hrefOf } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import {
  ChoiceFilter,
  type Controls,
  FilterBar,
  filtersIn,
  TimeFilter,
  TypedFilter,
} from '../../parts/filters.tsx';
import { Reload } from '../../parts/reload.tsx';
import { SaveList } from '../../parts/saveList.tsx';
import { Screen } from '../../parts/screen.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';

const own = texts.activity;
const PATH = '/api/v1/activity';

const controls: Controls<typeof PATH> = {
  type: (filter) => <ChoiceFilter label={own.columns.type} words={own.types} {...filter} />,
  actor: (filter) => <TypedFilter label={own.actor} {...filter} />,
  subject: (filter) => <TypedFilter label={own.subject} {...filter} />,
  createdAfter: (filter) => <TimeFilter label={texts.filters.after} {...filter} />,
  createdBefore: (filter) => <TimeFilter label={texts.filters.before} {...filter} />,
};

/** What people and keys did in the company, newest first. */
const Activity = ({ query }: ScreenProps) => {
  const filters = filtersIn(controls, query);
  const pages = usePages(PATH, { query: filters });
  const nameOf = useNames(pages.rows.flatMap(peopleIn));
  const actions = (
    <>
      <SaveList path={PATH} query={filters} />
      <Reload text={texts.submissions.refresh} run={pages.reload} />
    </>
  );
  return (
    <Screen title={own.title} actions={actions}>
      <FilterBar {...{ controls, query }} />
      <Table
        label={own.title}
        columns={columnsOf(nameOf)}
        pages={pages}
        keyOf={({ id }) => id}
        empty={own.empty}
      />
    </Screen>
  );
};
export default Activity;

type NameOf = (userId: string) => string;

const peopleIn = ({ actor, subject }: Row): readonly string[] => [
  ...(actor.kind === 'user' ? [actor.id] : []),
  ...(subject.kind === 'person' ? [subject.id] : []),
];

const columnsOf = (nameOf: NameOf): readonly Column<Row>[] => [
  { text: own.columns.at, share: 3, cell: ({ at }) => <When at={at} exact /> },
  { text: own.columns.actor, share: 4, cell: ({ actor }) => actorText(actor, nameOf) },
  { text: own.columns.type, share: 4, cell: ({ type }) => own.types[type] },
  {
    text: own.columns.subject,
    share: 5,
    cell: ({ subject }) => <Subject subject={subject} nameOf={nameOf} />,
  },
];

const actorText = ({ kind, id }: Row['actor'], nameOf: NameOf): string => {
  const actors: Readonly<Record<string, string>> = own.actors;
  return kind === 'user' ? nameOf(id) : say(actors[kind] ?? own.actors.system, { id });
};

const Subject = ({
  subject: { kind, id },
  nameOf,
}: Readonly<{ subject: Row['subject']; nameOf: NameOf }>) => (
  // Not cut off as a whole, as a link that is alone in its cell.
  <span>
    {own.subjects[kind]} {kind === 'submission' && <a href={hrefOf(encoded`/submissions/${id}`)}>{id}</a>}
    {kind === 'workflow' && <a href={hrefOf(encoded`/workflows/${id}`)}>{id}</a>}
    {kind === 'person' && nameOf(id)}
    {kind !== 'submission' && kind !== 'workflow' && kind !== 'person' && id}
  </span>
);
