import type { SubmissionDetail } from '../../../schemas/submissions.ts';
import { useNames } from '../../app/people.ts';
import { me } from '../../app/session.ts';
import { Notice } from '../../parts/notice.tsx';
import { When } from '../../parts/when.tsx';
import { locale, say, texts } from '../../texts.ts';
import { shownAs } from './fields.ts';
import type { Read } from './read.ts';

const own = texts.fourEyes;
const OR = new Intl.ListFormat(locale, { type: 'disjunction' });

/**
 * That two people must decide, before the first does; then what the first one decided, and who must go on.
 */
export const FourEyes = ({ detail, fourEyes }: Pick<Read, 'detail' | 'fourEyes'>) => {
  const { firstDecision, submissionStatus } = detail;
  const isOpen = submissionStatus === 'review';
  if (firstDecision) return <FirstDecision decision={firstDecision} isOpen={isOpen} />;
  if (!isOpen || fourEyes.length === 0) return null;
  const outcomes = OR.format(fourEyes.map((outcome) => own.outcomes[outcome]));
  return <Notice kind="info">{say(own.needed, { outcomes })}</Notice>;
};

type FirstDecisionProps = Readonly<{
  decision: NonNullable<SubmissionDetail['firstDecision']>;
  isOpen: boolean;
}>;

/** What the first of two people decided. */
const FirstDecision = ({ decision, isOpen }: FirstDecisionProps) => {
  const { outcome, by, at, comment, reason, corrections } = decision;
  const userId = /^user:(.+)$/.exec(by)?.[1];
  const nameOf = useNames(userId ? [userId] : []);
  const isOwn = userId === me()?.userId;
  return (
    <Notice kind={isOpen ? 'warning' : 'info'}>
      <p>
        {say(own.first, {
          outcome: texts.statuses[outcome],
          name: isOwn ? own.you : userId ? nameOf(userId) : by,
        })}{' '}
        <When at={at} exact />
      </p>
      {(comment ?? reason) && (
        <p>
          <q>{comment ?? reason}</q>
        </p>
      )}
      {corrections.length > 0 && (
        <ul>
          {corrections.map(({ field, humanValue }) => (
            <li key={field}>
              {field}: {shownAs(humanValue)}
            </li>
          ))}
        </ul>
      )}
      {isOpen && <p>{isOwn ? own.wait : own.second}</p>}
    </Notice>
  );
};
