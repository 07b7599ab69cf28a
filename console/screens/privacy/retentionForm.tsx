import { useState } from 'preact/hooks';
import type { ChangeRetention, CompanyRetention } from '../../../client/api.ts';
import { member } from '../../app/members.ts';
import type { Problem } from '../../app/problem.ts';
import { useAction } from '../../app/resource.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Form, Submit } from '../../parts/form.tsx';
import { faultAt, TextField } from '../../parts/formField.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { say, texts } from '../../texts.ts';

const own = texts.privacy;

/** As it is typed; empty: for ever. */
type Draft = Readonly<{
  submissionDays: string;
  sessionDays: string;
  perDay: string;
  workflows: Readonly<Record<string, string>>;
  isEnforced: boolean;
}>;

const draftOf = ({
  submissionDays,
  sessionDays,
  perDay,
  workflows,
  isEnforced,
}: CompanyRetention): Draft => ({
  submissionDays: String(submissionDays ?? ''),
  sessionDays: String(sessionDays ?? ''),
  perDay: String(perDay),
  workflows: Object.fromEntries(Object.entries(workflows).map(([slug, days]) => [slug, String(days)])),
  isEnforced,
});

/** A number, null for none; what is no number stays a text, which the service refuses by name. */
const numberIn = (text: string): number | string | null => {
  if (text.trim() === '') return null;
  return Number.isNaN(Number(text)) ? text : Number(text);
};

const bodyOf = ({ isEnforced, ...draft }: Draft): ChangeRetention => {
  const numbers: object = {
    submissionDays: numberIn(draft.submissionDays),
    sessionDays: numberIn(draft.sessionDays),
    perDay: numberIn(draft.perDay),
    workflows: Object.fromEntries(
      Object.entries(draft.workflows).flatMap(([slug, text]) => {
        const days = numberIn(text);
        return days === null ? [] : [[slug, days]];
      }),
    ),
  };
  return { ...numbers, isEnforced };
};

type FormProps = Readonly<{
  retention: CompanyRetention;
  /** Names by slug, of those that the company has. */
  workflows: Readonly<Record<string, string>>;
  change(body: ChangeRetention): Promise<void>;
}>;

/** The setting of a company. What has anything redacted is asked about first. */
export const RetentionForm = ({ retention, workflows, change }: FormProps) => {
  const [draft, setDraft] = useState(() => draftOf(retention));
  const [isAsked, ask] = useState(false);
  const { isRunning, problem, start } = useAction();
  const save = (): Promise<void> => change(bodyOf(draft));
  const submit = (): void => {
    if (draft.isEnforced) ask(true);
    else void start(save);
  };
  return (
    <>
      <p>{own.retentionText}</p>
      <Form onSubmit={submit}>
        <Numbers {...{ draft, setDraft, problem, workflows }} />
        <label class="check">
          <input
            type="checkbox"
            checked={draft.isEnforced}
            onChange={({ currentTarget }) => setDraft({ ...draft, isEnforced: currentTarget.checked })}
          />{' '}
          {own.enforce}
        </label>
        {problem && <ProblemNotice problem={problem} />}
        <div class="actions">
          <Submit isRunning={isRunning}>{own.save}</Submit>
        </div>
      </Form>
      {isAsked && (
        <ConfirmDialog
          title={own.enforceTitle}
          act={own.enforceAct}
          danger
          work={save}
          onClose={() => ask(false)}
        >
          <p>{say(own.enforceText, { count: draft.perDay })}</p>
        </ConfirmDialog>
      )}
    </>
  );
};

type NumbersProps = Pick<FormProps, 'workflows'> &
  Readonly<{ draft: Draft; setDraft(draft: Draft): void; problem: Problem | null }>;

const Numbers = ({ draft, setDraft, problem, workflows }: NumbersProps) => {
  const slugs = [...new Set([...Object.keys(workflows), ...Object.keys(draft.workflows)])];
  return (
    <div class="filters">
      {(['submissionDays', 'sessionDays', 'perDay'] as const).map((name) => (
        <TextField
          key={name}
          label={own[name]}
          value={draft[name]}
          required={name === 'perDay'}
          fault={faultAt(problem, `/${name}`)}
          onInput={(text) => setDraft({ ...draft, [name]: text })}
        />
      ))}
      {slugs.map((slug) => (
        <TextField
          key={slug}
          label={say(own.daysOf, { name: member(workflows, slug) ?? slug })}
          value={member(draft.workflows, slug) ?? ''}
          fault={faultAt(problem, `/workflows/${slug}`)}
          onInput={(text) => setDraft({ ...draft, workflows: { ...draft.workflows, [slug]: text } })}
        />
      ))}
    </div>
  );
};
