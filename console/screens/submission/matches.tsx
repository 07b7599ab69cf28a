import { useState } from 'preact/hooks';
import type { FraudMatch } from '../../../schemas/fraud.ts';
import { useKeys } from '../../app/keys.ts';
import { useNames } from '../../app/people.ts';
import { useResource } from '../../app/resource.ts';
import { hrefOf } from '../../app/router.ts';
import { Button } from '../../parts/button.tsx';
import { Mark } from '../../parts/marks.tsx';
import { Empty, Reading } from '../../parts/notice.tsx';
import { PickRow, useSelection } from '../../parts/selection.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { Comparison } from './comparison.tsx';
import { readSubmission } from './read.ts';
import { type Asked, isOpen, type Judged, Name, ResolveDialog } from './resolveDialog.tsx';

const own = texts.matches;

type MatchesProps = Judged & Readonly<{ mayDecide: boolean }>;

/** The fraud matches of a submission, each beside what it resembles. */
export const Matches = (props: MatchesProps) => {
  const { fraudMatches: matches } = props.read.detail;
  const [chosen, choose] = useState<string | null>(null);
  const rows = props.mayDecide ? matches.filter(isOpen).map(named) : [];
  const selection = useSelection({ rows, hasMore: false });
  const match = matches.find(({ id }) => id === chosen) ?? matches.find(isOpen) ?? matches[0];
  const following = match && matches[(matches.indexOf(match) + 1) % matches.length];
  useKeys([{ key: 'm', text: own.next, run: () => choose(following?.id ?? null) }]);
  if (!match) return <Empty>{own.none}</Empty>;
  return (
    <>
      <ul class="choices">
        {matches.map((one) => (
          <li key={one.id}>
            {props.mayDecide && isOpen(one) && <PickRow selection={selection} row={named(one)} />}{' '}
            <Button aria-pressed={one.id === match.id} onClick={() => choose(one.id)}>
              <Name match={one} />
            </Button>{' '}
            <Mark tone={isOpen(one) ? 'warning' : ''}>
              {one.resolution === null ? own.open : own.resolutions[one.resolution]}
            </Mark>{' '}
            <small>{say(own.similarity, { share: Math.round(one.similarity * 100) })}</small>
          </li>
        ))}
      </ul>
      <Match {...props} match={match} selected={selection.entries.map(({ row }) => row.id)} />
    </>
  );
};

/** A match as people name it. */
const named = ({ id, checkType, matchedSubmissionId, label }: FraudMatch) => ({
  id,
  label: [own.checks[checkType] ?? checkType, label ?? matchedSubmissionId ?? []].flat().join(': '),
});

type MatchProps = MatchesProps & Readonly<{ match: FraudMatch; selected: readonly string[] }>;

type Act = Asked & Readonly<{ key: string; text: string }>;

const dismissalOf = (matches: readonly FraudMatch[]): Act => ({
  ...{ key: 'D', text: say(own.dismissAll, { count: matches.length }), resolution: 'dismissed' },
  ids: matches.map(({ id }) => id),
});

const dismissalOfSelected = (ids: readonly string[]): Act => ({
  ...{ key: 'D', text: say(own.dismissSelected, { count: ids.length }), resolution: 'dismissed' },
  ...{ ids, isSelected: true },
});

const Match = (props: MatchProps) => {
  const { read, match, mayDecide, selected } = props;
  const { id, checkType, matchedSubmissionId: otherId } = match;
  const [asked, ask] = useState<Asked | null>(null);
  const other = useResource(otherId, (signal) => readSubmission(otherId ?? '', null, signal));
  const alike = read.detail.fraudMatches.filter((one) => isOpen(one) && one.checkType === checkType);
  const acts: readonly Act[] = [
    { key: 'c', text: own.confirm, resolution: 'confirmed', ids: [id] },
    { key: 'd', text: own.dismiss, resolution: 'dismissed', ids: [id] },
    ...(selected.length > 0 ? [dismissalOfSelected(selected)] : alike.length > 1 ? [dismissalOf(alike)] : []),
  ];
  const offered = mayDecide ? acts : [];
  useKeys(offered.map((act) => ({ ...act, run: () => ask(act) })));
  return (
    <>
      <div class="actions">
        {offered.map((act) => (
          <Button key={act.key} class={act.key === 'c' ? 'danger' : ''} onClick={() => ask(act)}>
            {act.text}
          </Button>
        ))}
        {otherId && <a href={hrefOf(`/submissions/${otherId}`)}>{own.other}</a>}
        <Resolved match={match} />
      </div>
      {otherId === null && <Empty>{own.gone}</Empty>}
      {otherId && <Reading resource={other} />}
      {other.value && <Comparison key={id} own={read} other={other.value} details={match.details} />}
      {asked && <ResolveDialog {...props} {...asked} onClose={() => ask(null)} />}
    </>
  );
};

const Resolved = ({ match: { resolvedBy, resolvedAt } }: Readonly<{ match: FraudMatch }>) => {
  const userId = /^user:(.+)$/.exec(resolvedBy ?? '')?.[1];
  const nameOf = useNames(userId ? [userId] : []);
  if (!resolvedBy || !resolvedAt) return null;
  return (
    <small>
      {say(own.by, { name: userId ? nameOf(userId) : resolvedBy })} <When at={resolvedAt} />
    </small>
  );
};
