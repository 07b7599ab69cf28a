import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { FraudMatch } from '../../../schemas/fraud.ts';
import { announce } from '../../app/announce.tsx';
import { useKeys } from '../../app/keys.tsx';
import { useNames } from '../../app/people.ts';
import { useResource } from '../../app/resource.ts';
import { hrefOf } from '../../app/router.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { LongTextField } from '../../parts/formField.tsx';
import { Mark } from '../../parts/marks.tsx';
import { Empty, Reading } from '../../parts/notice.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { Comparison } from './comparison.tsx';
import { orStale, type Read, readDetail, readSubmission, resolveMatch } from './read.ts';

const own = texts.matches;

type MatchesProps = Readonly<{
  read: Read;
  mayDecide: boolean;
  /** What others did meanwhile, for a dialog that lies over the page. */
  meanwhile: ComponentChildren;
  /** Resolves once the submission is read as it is now: a decision on what was read before would be refused. */
  onResolved(): Promise<void>;
  onStale(): void;
}>;

/** The fraud matches of a submission, each beside what it resembles. */
export const Matches = (props: MatchesProps) => {
  const { fraudMatches: matches } = props.read.detail;
  const [chosen, choose] = useState<string | null>(null);
  const match = matches.find(({ id }) => id === chosen) ?? matches[0];
  const following = match && matches[(matches.indexOf(match) + 1) % matches.length];
  useKeys([{ key: 'm', text: own.next, run: () => choose(following?.id ?? null) }]);
  if (!match) return <Empty>{own.none}</Empty>;
  return (
    <>
      <ul class="choices">
        {matches.map((one) => (
          <li key={one.id}>
            <Button aria-pressed={one.id === match.id} onClick={() => choose(one.id)}>
              {own.checks[one.checkType] ?? one.checkType}
              {one.matchedSubmissionId && <Earlier id={one.matchedSubmissionId} />}
            </Button>{' '}
            <Mark tone={one.status === 'open' ? 'warning' : ''}>
              {one.resolution === null ? own.open : own.resolutions[one.resolution]}
            </Mark>{' '}
            <small>{say(own.similarity, { share: Math.round(one.similarity * 100) })}</small>
          </li>
        ))}
      </ul>
      <Match key={match.id} {...props} match={match} />
    </>
  );
};

/** Which submission a match is about, as people name it. */
const Earlier = ({ id }: Readonly<{ id: string }>) => {
  const { value } = useResource(id, (signal) => readDetail(id, signal));
  return (
    <>
      : {value?.clientSubmissionId ?? id}
      {value && (
        <small>
          {' '}
          <When at={value.createdAt} />
        </small>
      )}
    </>
  );
};

type MatchProps = MatchesProps & Readonly<{ match: FraudMatch }>;

const Match = (props: MatchProps) => {
  const { read, match, mayDecide } = props;
  const { matchedSubmissionId: otherId } = match;
  const [asked, ask] = useState<'confirmed' | 'dismissed' | null>(null);
  const other = useResource(otherId, (signal) => readSubmission(otherId ?? '', null, signal));
  const acts = [
    { key: 'c', text: own.confirm, run: () => ask('confirmed') },
    { key: 'd', text: own.dismiss, run: () => ask('dismissed') },
  ];
  useKeys(mayDecide ? acts : []);
  return (
    <>
      <div class="actions">
        {mayDecide && (
          <>
            <Button class="danger" onClick={() => ask('confirmed')}>
              {own.confirm}
            </Button>
            <Button onClick={() => ask('dismissed')}>{own.dismiss}</Button>
          </>
        )}
        {otherId && <a href={hrefOf(`/submissions/${otherId}`)}>{own.other}</a>}
        <Resolved match={match} />
      </div>
      {otherId === null && <Empty>{own.gone}</Empty>}
      {otherId && <Reading resource={other} />}
      {other.value && <Comparison own={read} other={other.value} details={match.details} />}
      {asked && <ResolveDialog {...props} resolution={asked} onClose={() => ask(null)} />}
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

type ResolveProps = MatchProps & Readonly<{ resolution: 'confirmed' | 'dismissed'; onClose(): void }>;

const ResolveDialog = (props: ResolveProps) => {
  const { read, match, resolution, meanwhile, onResolved, onStale, onClose } = props;
  const [comment, setComment] = useState('');
  const work = async (): Promise<void> => {
    const words = comment.trim();
    await resolveMatch(read, match.id, { resolution, ...(words === '' ? {} : { comment: words }) });
    await onResolved();
    announce(own.resolutions[resolution]);
  };
  const act = resolution === 'confirmed' ? own.confirm : own.dismiss;
  return (
    <ConfirmDialog
      title={act}
      act={act}
      danger={resolution === 'confirmed'}
      work={() => orStale(work, onStale)}
      onClose={onClose}
    >
      {meanwhile}
      <p>{own.meaning[resolution]}</p>
      <LongTextField label={own.comment} maxLength={1_000} value={comment} onInput={setComment} />
    </ConfirmDialog>
  );
};
