import { useState } from 'preact/hooks';
import type { AssignRequest, PostponeRequest } from '../../../client/api.ts';
import type { SubmissionDetail } from '../../../schemas/submissions.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { useKeys } from '../../app/keys.ts';
import { useNames } from '../../app/people.ts';
import { useAction } from '../../app/resource.ts';
import { me } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { LongTextField } from '../../parts/formField.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { When, whole } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { AssignDialog } from './assignDialog.tsx';
import { isPutOff } from './later.ts';
import { LaterDialog } from './laterDialog.tsx';
import { PATH } from './read.ts';
import { actorOf, actorText } from './timeline.tsx';

const own = texts.team;

const KEYS = { assign: 'g', later: 's', note: 'i' } as const;
type Act = keyof typeof KEYS;

type TeamProps = Readonly<{
  detail: SubmissionDetail;
  /** Whether the person may change it now. */
  mayShare: boolean;
  reload(): Promise<void>;
  /** It was put off: what comes next is shown. */
  onLater(): void;
}>;

/** What reviewers share of a submission: whose it is, until when it is put off, and notes. */
export const Team = ({ detail, mayShare, reload, onLater }: TeamProps) => {
  const { submissionStatus, redaction, notes } = detail;
  const [asked, ask] = useState<Act | null>(null);
  const isInReview = submissionStatus === 'review';
  const acts: readonly Act[] =
    !mayShare || redaction !== null ? [] : isInReview ? ['assign', 'later', 'note'] : ['note'];
  useKeys(acts.map((act) => ({ key: KEYS[act], text: own[act], run: () => ask(act) })));
  if (!isInReview && acts.length === 0 && notes.length === 0) return null;
  const path = { submissionId: detail.id };
  const assign = async (body: AssignRequest, name: string): Promise<void> => {
    await api.put(`${PATH}/assignee`, { path, body });
    announce(body.assignee === null ? own.isUnassigned : say(own.isAssigned, { name }));
    await reload();
  };
  const putOff = async (body: PostponeRequest): Promise<void> => {
    await api.put(`${PATH}/postponement`, { path, body });
    announce(say(own.isPutOff, { time: whole(body.until), label: detail.label }));
    onLater();
  };
  const shared = { onClose: () => ask(null) };
  return (
    <section class="team" aria-label={own.title}>
      {isInReview && <Standing {...{ detail, reload }} mayResume={acts.includes('later')} />}
      {acts.map((act) => (
        <Button key={act} class="link" onClick={() => ask(act)}>
          {own[act]}
        </Button>
      ))}
      {notes.length > 0 && <Notes notes={notes} />}
      {asked === 'assign' && (
        <AssignDialog {...shared} title={own.assignTitle} assignee={detail.assignee} assign={assign} />
      )}
      {asked === 'later' && <LaterDialog {...shared} title={own.laterTitle} putOff={putOff} />}
      {asked === 'note' && <NoteDialog {...shared} detail={detail} reload={reload} />}
    </section>
  );
};

type StandingProps = Pick<TeamProps, 'detail' | 'reload'> & Readonly<{ mayResume: boolean }>;

/** To whom the review is given, and until when it is put off. */
const Standing = ({ detail: { id, assignee, postponed }, reload, mayResume }: StandingProps) => {
  const { isRunning, problem, start } = useAction();
  const nameOf = useActors([...(assignee === null ? [] : [`user:${assignee}`]), postponed?.actor ?? '']);
  const resume = async (): Promise<void> => {
    await api.delete(`${PATH}/postponement`, { path: { submissionId: id } });
    announce(own.isDue);
    await reload();
  };
  return (
    <>
      {assignee !== null && <span>{say(own.isAssigned, { name: nameOf(`user:${assignee}`) })}</span>}
      {isPutOff(postponed) && (
        <p>
          {texts.queue.isPostponed} <When at={postponed.until} exact />, {nameOf(postponed.actor)}:{' '}
          <q>{postponed.reason}</q>{' '}
          {mayResume && (
            <Button class="link" disabled={isRunning} onClick={() => void start(resume)}>
              {own.due}
            </Button>
          )}
        </p>
      )}
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
};

/** What people wrote, oldest first. */
const Notes = ({ notes }: Pick<SubmissionDetail, 'notes'>) => {
  const nameOf = useActors(notes.map(({ actor }) => actor));
  return (
    <ul aria-label={own.notes}>
      {notes.map(({ actor, at, text }, index) => (
        <li key={index}>
          {text}{' '}
          <small>
            {nameOf(actor)}, <When at={at} />
          </small>
        </li>
      ))}
    </ul>
  );
};

/** Who did something, in words: of the person as such. */
const useActors = (actors: readonly string[]): ((actor: string) => string) => {
  const people = actors.map(actorOf).filter(({ kind }) => kind === 'user');
  const nameOf = useNames(people.map(({ id }) => id));
  return (actor) => actorText(actorOf(actor), (id) => (id === me()?.userId ? texts.queue.you : nameOf(id)));
};

type NoteProps = Readonly<Pick<TeamProps, 'detail' | 'reload'> & { onClose(): void }>;

/** Writes a note for those who review it. */
const NoteDialog = ({ detail: { id }, reload, onClose }: NoteProps) => {
  const [text, setText] = useState('');
  const write = async (): Promise<void> => {
    await api.post(`${PATH}/notes`, { path: { submissionId: id }, body: { text } });
    announce(own.isNoted);
    await reload();
  };
  return (
    <ConfirmDialog
      title={own.noteTitle}
      act={own.write}
      isReady={text.trim() !== ''}
      work={write}
      onClose={onClose}
    >
      <LongTextField label={own.text} hint={own.textHint} maxLength={4_000} value={text} onInput={setText} />
    </ConfirmDialog>
  );
};
