import { useEffect, useRef, useState } from 'preact/hooks';
import type { SubmissionSummary } from '../../../schemas/submissions.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { useEach } from '../../app/each.ts';
import { useKeys } from '../../app/keys.ts';
import { Button } from '../../parts/button.tsx';
import { EachProgress } from '../../parts/eachProgress.tsx';
import { ScrollRegion } from '../../parts/scrollRegion.tsx';
import type { Selection } from '../../parts/selection.tsx';
import { say, texts } from '../../texts.ts';
import { AssignDialog } from '../submission/assignDialog.tsx';
import { CANCELLABLE } from '../submission/decisions.tsx';
import { LaterDialog } from '../submission/laterDialog.tsx';
import { PATH } from '../submission/read.ts';
import { ReasonDialog } from '../submission/reasonDialog.tsx';

const own = texts.selection;

/** One of the queue is in review, and does not say so. */
type Row = Pick<SubmissionSummary, 'id' | 'label'> & Partial<Pick<SubmissionSummary, 'submissionStatus'>>;

/** The keys are those of one submission. */
const KEYS = { assign: 'g', later: 's', reject: 'r', cancel: 'x' } as const;
type Act = keyof typeof KEYS;
const ACTS = ['assign', 'later', 'reject', 'cancel'] as const;

const fits = (act: Act, { submissionStatus: status = 'review' }: Row): boolean =>
  act === 'cancel' ? CANCELLABLE.includes(status) : status === 'review';

/** The request about one of them. */
type SendOne = (path: Readonly<{ submissionId: string }>) => Promise<unknown>;

/** Does something to the selected submissions that it can be done to. */
const useActs = <R extends Row>({ selection, reload }: BarProps<R>) => {
  const each = useEach<R>();
  const [asked, ask] = useState<Act | null>(null);
  const rowsOf = (act: Act): readonly R[] =>
    selection.entries.flatMap(({ row }) => (fits(act, row) ? row : []));
  const send = async (act: Act, sendOne: SendOne): Promise<void> => {
    const rows = rowsOf(act);
    const outcome = await each.run(rows, async ({ id }) => void (await sendOne({ submissionId: id })));
    selection.settle(rows, outcome);
    const left = rows.length - outcome.done.length;
    const said = say(own.done, { count: outcome.done.length });
    announce(left > 0 ? `${said} ${say(own.left, { count: left })}` : said);
    reload();
  };
  const acts = each.progress ? [] : ACTS.filter((act) => rowsOf(act).length > 0);
  return { each, asked, ask, acts, countOf: (act: Act) => rowsOf(act).length, send };
};

type BarProps<R> = Readonly<{ selection: Selection<R>; reload(): void }>;

/** How many submissions of a list are selected, and what can be done to them. */
export function SelectionBar<R extends Row>(props: BarProps<R>) {
  const { count, entries, pickAll } = props.selection;
  const { each, asked, ask, acts, countOf, send } = useActs(props);
  const textOf = (act: Act): string => say(own.acts[act], { count: countOf(act) });
  const clear = { key: 'Escape', text: own.clear, run: () => pickAll(false) };
  const isIdle = count > 0 && !each.progress;
  useKeys([
    ...acts.map((act) => ({ key: KEYS[act], text: textOf(act), run: () => ask(act) })),
    ...(isIdle ? [clear] : []),
  ]);
  const bar = useFocusKept(each.progress !== null, asked !== null);
  if (count === 0 && !each.progress) return null;
  const refused = entries.filter(({ note }) => note);
  return (
    <section ref={bar} class="selected" aria-label={own.title} tabIndex={-1}>
      <span role="status">{!each.progress && say(own.count, { count })}</span>
      <EachProgress {...each} />
      {acts.map((act) => (
        <Button key={act} onClick={() => ask(act)}>
          {textOf(act)}
        </Button>
      ))}
      {isIdle && (
        <Button class="plain" onClick={clear.run}>
          {own.clear}
        </Button>
      )}
      {isIdle && refused.length > 0 && (
        <ScrollRegion label={own.refused}>
          <ul>
            {refused.map(({ row: { id, label }, note }) => (
              <li key={id}>
                {label}: {note}
              </li>
            ))}
          </ul>
        </ScrollRegion>
      )}
      {asked && (
        <Question
          {...{ act: asked, count: countOf(asked), text: textOf(asked) }}
          send={async (sendOne) => void send(asked, sendOne)}
          onClose={() => ask(null)}
        />
      )}
    </section>
  );
}

/** The buttons change with each act: the focus stays with the bar, or goes to the heading after it. */
const useFocusKept = (isRunning: boolean, isAsked: boolean) => {
  const bar = useRef<HTMLElement>(null);
  const isThere = useRef(false);
  useEffect(() => {
    if (isThere.current && document.activeElement === document.body)
      (bar.current ?? document.querySelector('h1'))?.focus();
    isThere.current = true;
  }, [isRunning, isAsked]);
  return bar;
};

type QuestionProps = Readonly<{
  act: Act;
  count: number;
  text: string;
  /** Resolves at once: the bar shows how far it is. */
  send(sendOne: SendOne): Promise<void>;
  onClose(): void;
}>;

/** Asks once what all are done with. */
const Question = ({ act, count, text, send, onClose }: QuestionProps) => {
  const title = say(own.titles[act], { count });
  if (act === 'assign')
    return (
      <AssignDialog
        {...{ title, onClose }}
        assign={(body) => send((path) => api.put(`${PATH}/assignee`, { path, body }))}
      />
    );
  if (act === 'later')
    return (
      <LaterDialog
        {...{ title, onClose }}
        putOff={(body) => send((path) => api.put(`${PATH}/postponement`, { path, body }))}
      />
    );
  return (
    <ReasonDialog
      {...{ title, onClose }}
      decision={act}
      act={text}
      note={`${texts.decisions.final[act]} ${own.atOnce}`}
      make={(_decision, body) => send((path) => api.post(`${PATH}/${act}`, { path, body }))}
    />
  );
};
