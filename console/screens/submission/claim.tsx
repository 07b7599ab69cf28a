import { useEffect, useRef, useState } from 'preact/hooks';
import { useNames } from '../../app/people.ts';
import { may } from '../../app/session.ts';
import { Notice } from '../../parts/notice.tsx';
import { say, texts } from '../../texts.ts';
import { type Holder, keepClaim } from './claiming.ts';

const own = texts.submission;

type ClaimProps = Readonly<{
  id: string;
  isInReview: boolean;
  /** Somebody else has decided on it. */
  onDecided(): void;
}>;

/** Claims a submission in review, and says so where somebody else has it, or has it now. */
export const ClaimNotice = ({ id, isInReview, onDecided }: ClaimProps) => {
  const [holder, setHolder] = useState<Holder>(null);
  const isWanted = isInReview && may('submissions.claim');
  const decided = useRef(onDecided);
  decided.current = onDecided;
  useEffect(() => {
    setHolder(null);
    return isWanted ? keepClaim(id, { holder: setHolder, decided: () => decided.current() }) : undefined;
  }, [id, isWanted]);
  const userId = holder && holder !== 'ended' ? holder.userId : null;
  const nameOf = useNames(userId === null ? [] : [userId]);
  if (holder === null) return null;
  if (holder === 'ended') return <Notice kind="bad">{own.claimEnded}</Notice>;
  const name = nameOf(holder.userId);
  return holder.isLost ? (
    <Notice kind="bad">{say(own.claimLost, { name })}</Notice>
  ) : (
    <Notice kind="warning">{say(own.claimedBy, { name })}</Notice>
  );
};
