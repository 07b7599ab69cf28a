import type { SubmissionEventItem } from '../../../schemas/submissions.ts';
import { useNames } from '../../app/people.ts';
import { Notice } from '../../parts/notice.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';
import { actorText, typeText } from './timeline.tsx';

type MeanwhileProps = Readonly<{
  /** The entity tag of what the person had read when a decision was refused; null for no refusal. */
  tag: string | null;
  events: readonly SubmissionEventItem[];
}>;

/** What others did while the person had the submission open: who, what and when. */
export const Meanwhile = ({ tag, events }: MeanwhileProps) => {
  const later =
    tag === null ? [] : events.filter(({ revision }) => revision > Number(tag.replaceAll(/\D/g, '')));
  const nameOf = useNames(later.flatMap(({ actor }) => (actor.kind === 'user' ? actor.id : [])));
  if (later.length === 0) return null;
  return (
    <Notice kind="warning">
      <p>{texts.submission.meanwhile}</p>
      <ul>
        {later.map(({ revision: number, type, actor, occurredAt }) => (
          <li key={number}>
            {typeText(type)}: {actorText(actor, nameOf)}, <When at={occurredAt} exact />
          </li>
        ))}
      </ul>
    </Notice>
  );
};
