import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { FraudMatch } from '../../../schemas/fraud.ts';
import { announce } from '../../app/announce.tsx';
import { type Outcome, useEach } from '../../app/each.ts';
import { useResource } from '../../app/resource.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { EachProgress } from '../../parts/eachProgress.tsx';
import { LongTextField } from '../../parts/formField.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { orStale, type Read, readDetail, resolveMatch } from './read.ts';

const own = texts.matches;

/** The submission whose matches are judged. */
export type Judged = Readonly<{
  read: Read;
  /** What others did meanwhile, for a dialog that lies over the page. */
  meanwhile: ComponentChildren;
  /**
   * Resolves once the submission is read as it is now: a decision on what was read before would be refused.
   */
  onResolved(): Promise<void>;
  onStale(): void;
}>;

/** Whether it is not judged yet. */
export const isOpen = ({ status }: FraudMatch): boolean => status === 'open';

/** What a match is, and with which submission. */
export const Name = ({
  match: { checkType, matchedSubmissionId: id, label },
}: Readonly<{ match: FraudMatch }>) => (
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

/** What is to be judged, and how. */
export type Asked = Readonly<{
  resolution: 'confirmed' | 'dismissed';
  ids: readonly string[];
  isSelected?: boolean;
}>;

type ResolveProps = Judged & Asked & Readonly<{ onClose(): void }>;

/** Judges matches, each by its own request. Those that were refused are left. */
const useJudging = ({ read, resolution, ids, onResolved, onStale }: ResolveProps) => {
  const each = useEach<FraudMatch>();
  const [refused, setRefused] = useState<Outcome<FraudMatch>['refused']>([]);
  const { id, fraudMatches } = read.detail;
  const left = fraudMatches.filter((one) => ids.includes(one.id) && (ids.length === 1 || isOpen(one)));
  const work = async (comment: string): Promise<void> => {
    const body = { resolution, ...(comment === '' ? {} : { comment }) };
    let { tag } = read;
    const { done, refused: now } = await each.run(left, async (match) => {
      tag = await resolveMatch(id, match.id, body, tag);
    });
    setRefused(now);
    const [first] = now;
    if (first && done.length === 0) return orStale(() => Promise.reject(first.error), onStale);
    await onResolved();
    if (first) throw first.error;
    if (done.length > 0) announce(own.resolutions[resolution]);
  };
  return { count: left.length, each, refused, work };
};

/** Asks for a comment, and judges. */
export const ResolveDialog = (props: ResolveProps) => {
  const { resolution, ids, isSelected, meanwhile, onClose } = props;
  const [comment, setComment] = useState('');
  const { count, each, refused, work } = useJudging(props);
  const isOne = ids.length === 1;
  const single = resolution === 'confirmed' ? own.confirm : own.dismiss;
  const many = isSelected ? say(own.dismissSelected, { count }) : say(own.dismissAll, { count });
  const act = isOne && !isSelected ? single : many;
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
      {!isOne && <EachProgress {...each} />}
      {!isOne && refused.length > 0 && (
        <ul>
          {refused.map(({ item, problem }) => (
            <li key={item.id}>
              <Name match={item} /> {say(own.refused, { reason: problem.detail })}
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
};
