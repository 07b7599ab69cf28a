import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { IntakeError } from '../../../client/error.ts';
import type { FraudMatch } from '../../../schemas/fraud.ts';
import { announce } from '../../app/announce.tsx';
import { useKeys } from '../../app/keys.ts';
import { useNames } from '../../app/people.ts';
import { problemOf } from '../../app/problem.ts';
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
  /**
   * Resolves once the submission is read as it is now: a decision on what was read before would be refused.
   */
  onResolved(): Promise<void>;
  onStale(): void;
}>;

/** The fraud matches of a submission, each beside what it resembles. */
export const Matches = (props: MatchesProps) => {
  const { fraudMatches: matches } = props.read.detail;
  const [chosen, choose] = useState<string | null>(null);
  const match = matches.find(({ id }) => id === chosen) ?? matches.find(isOpen) ?? matches[0];
  const following = match && matches[(matches.indexOf(match) + 1) % matches.length];
  useKeys([{ key: 'm', text: own.next, run: () => choose(following?.id ?? null) }]);
  if (!match) return <Empty>{own.none}</Empty>;
  return (
    <>
      <ul class="choices">
        {matches.map((one) => (
          <li key={one.id}>
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
      <Match {...props} match={match} />
    </>
  );
};

const isOpen = ({ status }: FraudMatch): boolean => status === 'open';

/** What a match is, and with which submission. */
const Name = ({ match: { checkType, matchedSubmissionId: id, label } }: Readonly<{ match: FraudMatch }>) => (
  <>
    {own.checks[checkType] ?? checkType}
    {id && <Earlier id={id} label={label ?? id} />}
  </>
);

/** Which submission a match is about, as people name it. */
const Earlier = ({ id, label }: Readonly<{ id: string; label: string }>) => {
  const { value } = useResource(id, (signal) => readDetail(id, signal));
  return (
    <>
      : {label}
      {value && (
        <small>
          {' '}
          {value.clientSubmissionId} <When at={value.createdAt} />
        </small>
      )}
    </>
  );
};

type MatchProps = MatchesProps & Readonly<{ match: FraudMatch }>;

/** What is to be judged, and how. */
type Asked = Readonly<{ resolution: 'confirmed' | 'dismissed'; ids: readonly string[] }>;

type Act = Asked & Readonly<{ key: string; text: string }>;

const dismissalOf = (matches: readonly FraudMatch[]): Act => ({
  ...{ key: 'D', text: say(own.dismissAll, { count: matches.length }), resolution: 'dismissed' },
  ids: matches.map(({ id }) => id),
});

const Match = (props: MatchProps) => {
  const { read, match, mayDecide } = props;
  const { id, checkType, matchedSubmissionId: otherId } = match;
  const [asked, ask] = useState<Asked | null>(null);
  const other = useResource(otherId, (signal) => readSubmission(otherId ?? '', null, signal));
  const alike = read.detail.fraudMatches.filter((one) => isOpen(one) && one.checkType === checkType);
  const acts: readonly Act[] = [
    { key: 'c', text: own.confirm, resolution: 'confirmed', ids: [id] },
    { key: 'd', text: own.dismiss, resolution: 'dismissed', ids: [id] },
    ...(alike.length > 1 ? [dismissalOf(alike)] : []),
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

type ResolveProps = MatchesProps & Asked & Readonly<{ onClose(): void }>;

type Refused = Readonly<{ match: FraudMatch; error: IntakeError }>;

/** Judges matches, each by its own request; `at` counts them. Those that were refused are left. */
const useJudging = ({ read, resolution, ids, onResolved, onStale }: ResolveProps) => {
  const [at, setAt] = useState(0);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const { id, fraudMatches } = read.detail;
  const left = fraudMatches.filter((one) => ids.includes(one.id) && (ids.length === 1 || isOpen(one)));
  const work = async (comment: string): Promise<void> => {
    const body = { resolution, ...(comment === '' ? {} : { comment }) };
    const now: Refused[] = [];
    let { tag } = read;
    for (const [index, match] of left.entries()) {
      setAt(index + 1);
      try {
        tag = await resolveMatch(id, match.id, body, tag);
      } catch (error) {
        if (!(error instanceof IntakeError)) throw error;
        now.push({ match, error });
      }
    }
    setAt(0);
    setRefused(now);
    const [first] = now;
    if (first && now.length === left.length) return orStale(() => Promise.reject(first.error), onStale);
    await onResolved();
    if (first) throw first.error;
    announce(own.resolutions[resolution]);
  };
  return { count: left.length, at, refused, work };
};

const ResolveDialog = (props: ResolveProps) => {
  const { resolution, ids, meanwhile, onClose } = props;
  const [comment, setComment] = useState('');
  const { count, at, refused, work } = useJudging(props);
  const isOne = ids.length === 1;
  const single = resolution === 'confirmed' ? own.confirm : own.dismiss;
  const act = isOne ? single : say(own.dismissAll, { count });
  return (
    <ConfirmDialog
      title={act}
      act={act}
      danger={resolution === 'confirmed'}
      isReady={count > 0}
      work={() => work(comment.trim())}
      onClose={onClose}
    >
      {meanwhile}
      <p>{own.meaning[resolution]}</p>
      <LongTextField label={own.comment} maxLength={1_000} value={comment} onInput={setComment} />
      <p role="status">{!isOne && at > 0 && say(own.progress, { at, count })}</p>
      {!isOne && refused.length > 0 && (
        <ul>
          {refused.map(({ match, error }) => (
            <li key={match.id}>
              <Name match={match} /> {say(own.refused, { reason: problemOf(error).detail })}
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
};
