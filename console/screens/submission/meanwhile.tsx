import { useRef } from 'preact/hooks';
import type { SubmissionEventItem } from '../../../schemas/submissions.ts';
import { announce } from '../../app/announce.tsx';
import { useNames } from '../../app/people.ts';
import { Button } from '../../parts/button.tsx';
import { FormField } from '../../parts/formField.tsx';
import { Notice } from '../../parts/notice.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';
import { actorText, typeText } from './timeline.tsx';

type MeanwhileProps = Readonly<{
  /** The entity tag of what the person had read when a decision was refused; null for no refusal. */
  tag: string | null;
  /** The reason that it was to have; empty for none. */
  reason: string;
  events: readonly SubmissionEventItem[];
}>;

/** What others did while the person had the submission open: who, what and when. */
export const Meanwhile = ({ tag, reason, events }: MeanwhileProps) => {
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
      {reason !== '' && <Reason text={reason} />}
    </Notice>
  );
};

/** The reason that was typed in vain, to be copied. */
const Reason = ({ text }: Readonly<{ text: string }>) => {
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(text);
      announce(texts.secrets.copied);
    } catch {
      announce(texts.secrets.selected);
    }
  };
  return (
    <>
      <FormField label={texts.submission.reasonKept}>
        {(control) => <textarea {...control} ref={field} readOnly rows={2} value={text} />}
      </FormField>
      <p class="actions">
        <Button onClick={copy}>{texts.secrets.copy}</Button>
      </p>
    </>
  );
};
