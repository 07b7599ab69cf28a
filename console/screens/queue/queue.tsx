import { useEffect } from 'preact/hooks';
import type { Counts } from '../../../schemas/reviewQueue.ts';
import { announce } from '../../app/announce.tsx';
import { useKeys } from '../../app/keys.ts';
import { useNames } from '../../app/people.ts';
import { useAction } from '../../app/resource.ts';
import { changeQuery, hrefOf, navigate, type Query } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { Button } from '../../parts/button.tsx';
import { searchKey } from '../../parts/filters.tsx';
import { ConfidenceMark, certaintyOf, FraudMark, Mark } from '../../parts/marks.tsx';
import { amountColumn, Named } from '../../parts/named.tsx';
import { Empty, Notice, ProblemNotice } from '../../parts/notice.tsx';
import { SaveList } from '../../parts/saveList.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useSelection } from '../../parts/selection.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { isPutOff } from '../submission/later.ts';
import { claimNext, unlessGone } from '../submission/next.ts';
import { rememberQueue, submissionHref } from '../submissions/list.ts';
import { SelectionBar } from '../submissions/selectionBar.tsx';
import { type Filters, filtersOf, QueueFilters } from './filters.tsx';
import { type Row, useQueue } from './rows.ts';

const own = texts.queue;

/**
 * What waits for a review, live; who may claim takes the next of it, in this order and with these filters.
 */
const Queue = ({ query, me }: ScreenProps) => {
  const filters = filtersOf(query);
  const mayClaim = me.permissions.includes('submissions.claim');
  const { pages, counts, live } = useQueue(
    mayClaim ? filters : { ...filters, claimed: null, assigned: null },
  );
  const { claimed: _claimed, assigned: _assigned, postponed: _postponed, ...wanted } = filters;
  const selection = useSelection(pages);
  const mayDecide = me.permissions.includes('submissions.decide');
  const href = hrefOf('/queue', filters);
  useEffect(() => rememberQueue(wanted, href, pages), [href, pages.rows, pages.hasMore]);
  const nameOf = useNames(
    pages.rows.slice(0, 100).flatMap(({ claim, assignee }) => claim?.userId ?? assignee ?? []),
  );
  const { take, ...next } = useNext(wanted);
  const turn = (): void => changeQuery({ order: filters.order === 'riskiest' ? null : 'riskiest' });
  useKeys([
    ...(mayClaim ? [{ key: 'n', text: own.nextKey, run: take }] : []),
    { key: 'o', text: own.turn, run: turn },
    searchKey,
    { key: 'u', text: own.refresh, run: pages.reload },
  ]);
  const actions = (
    <>
      <SaveList path="/api/v1/review-queue" query={filters} />
      {mayClaim && (
        <Button class="primary" disabled={next.isRunning} onClick={take}>
          {next.isRunning ? texts.working : own.next}
        </Button>
      )}
    </>
  );
  const columns = [...columnsOf(wanted), ...(mayClaim ? [stateOf(me.userId, nameOf)] : [])];
  const isEmpty = pages.hasMore === false && pages.rows.length === 0;
  return (
    <Screen title={own.title} actions={actions}>
      {next.problem && <ProblemNotice problem={next.problem} />}
      <QueueFilters {...{ filters, counts, mayClaim }} />
      {live.value && <NotLive live={live} retry={pages.reload} />}
      {isEmpty ? (
        <NothingWaits counts={counts} filters={filters} />
      ) : (
        <Table
          label={own.title}
          columns={columns}
          pages={pages}
          keyOf={({ id }) => id}
          empty=""
          selection={mayDecide ? selection : undefined}
        />
      )}
      {mayDecide && <SelectionBar selection={selection} reload={pages.reload} />}
    </Screen>
  );
};
export default Queue;

/** Takes the next of a queue. */
const useNext = (queue: Query) => {
  const { start, ...action } = useAction();
  const take = (): void =>
    void start(() =>
      unlessGone(
        () => claimNext(queue),
        (id) => (id === null ? announce(own.none) : navigate(submissionHref(id))),
      ),
    );
  return { ...action, take };
};

type LiveProps = Readonly<{ live: ReturnType<typeof useQueue>['live']; retry(): void }>;

/** That the list no longer follows what happens, and why. */
const NotLive = ({ live: { state, problem }, retry }: LiveProps) =>
  problem && (
    <Notice kind="warning">
      {state === 'retrying' ? own.notLive : own.ended} {problem.detail}{' '}
      <Button onClick={retry}>{texts.tryAgain}</Button>
    </Notice>
  );

type EmptyProps = Readonly<{ counts: Counts | null; filters: Filters }>;

/** Nothing waits, or nothing that fits the filters. */
const NothingWaits = ({ counts, filters }: EmptyProps) => {
  const { waiting = 0 } = counts ?? {};
  const { order } = filters;
  return (
    <Empty>
      {waiting > 0 ? say(own.emptyFiltered, { count: waiting }) : own.empty}{' '}
      {waiting > 0 ? (
        <a href={hrefOf('/queue', { order })}>{own.showAll}</a>
      ) : (
        <a href={hrefOf('/submissions')}>{own.seeAll}</a>
      )}
    </Empty>
  );
};

/** That all are reviewed says nothing where there is another reason. */
const reasonsOf = ({ reviewReasons }: Row): string => {
  const codes = [...new Set(reviewReasons.map(({ code }) => code))];
  const others = codes.filter((code) => code !== 'always_review');
  return (others.length > 0 ? others : codes).map((code) => own.reasons[code]).join(', ');
};

const columnsOf = (queue: Query): readonly Column<Row>[] => [
  {
    text: own.columns.submission,
    share: 8,
    cell: (row) => <Named row={row} href={submissionHref(row.id, {}, queue)} />,
  },
  amountColumn,
  { text: texts.submissions.columns.workflow, share: 2.5, cell: ({ workflow }) => workflow.name },
  { text: own.reason, share: 4, cell: (row) => <span title={reasonsOf(row)}>{reasonsOf(row)}</span> },
  {
    text: texts.submissions.columns.fraud,
    share: 2.2,
    cell: ({ fraudStatus: status }) => FraudMark({ status }),
  },
  {
    text: texts.submissions.columns.confidence,
    share: 2,
    cell: ({ confidence }) => <ConfidenceMark certainty={certaintyOf(confidence)} />,
  },
  { text: own.columns.waiting, share: 3.5, cell: ({ waitingSince }) => <When at={waitingSince} /> },
];

/**
 * Who has a submission open, or is to review it, until when it is put off, and whether one has decided
 * already.
 */
const stateOf = (userId: string, nameOf: (id: string) => string): Column<Row> => ({
  text: own.columns.state,
  share: 3,
  cell: ({ claim, assignee, postponed, firstDecision }) => {
    if (claim) return <Mark>{claim.userId === userId ? own.you : nameOf(claim.userId)}</Mark>;
    if (assignee !== null) {
      const isOwn = assignee === userId;
      return <small>{isOwn ? own.isYours : say(own.isAssigned, { name: nameOf(assignee) })}</small>;
    }
    if (isPutOff(postponed)) {
      return (
        <small title={postponed.reason}>
          {own.isPostponed} <When at={postponed.until} />
        </small>
      );
    }
    if (!firstDecision) return null;
    return <small>{firstDecision.by === `user:${userId}` ? own.ownFirst : own.first}</small>;
  },
});
