import { useEffect, useRef, useState } from 'preact/hooks';
import type { EvaluationWithReport } from '../../../client/api.ts';
import { announceProblem } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { usePolled } from '../../app/polled.ts';
import { hrefOf } from '../../app/router.ts';
import { useWorkflowNames } from '../../app/workflows.ts';
import { Button } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Empty, ProblemNotice, Skeleton } from '../../parts/notice.tsx';
import { number } from '../../parts/quantity.ts';
import { save } from '../../parts/save.ts';
import { Screen } from '../../parts/screen.tsx';
import { CopyField } from '../../parts/secrets.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { Acts } from './acts.tsx';
import { Advice, maxWrongOf } from './advice.tsx';
import { Changes } from './changes.tsx';
import { Figures } from './figures.tsx';
import { candidateOf, progressOf, shadowOf } from './words.ts';

const own = texts.evaluations;
const PATH = '/api/v1/evaluations/{evaluationId}';

type Status = EvaluationWithReport['status'];
const isOver = (status: Status | undefined): boolean => status === 'completed' || status === 'cancelled';

/** Each report is made of all that was read: it is asked for less often the longer it is watched. */
const pauseMs = (watchedMs: number): number => {
  if (watchedMs < 30_000) return 2_000;
  return watchedMs < 120_000 ? 5_000 : 15_000;
};

type OneProps = Readonly<{
  id: string;
  /** The wished share in percent; null for the usual one. */
  wrong: string | null;
}>;

/** An evaluation, which is read again until it has ended, and its report. */
export const OneEvaluation = ({ id, wrong }: OneProps) => {
  const [isEnded, end] = useState(false);
  const begun = useRef(Date.now());
  const everyMs = isEnded ? null : pauseMs(Date.now() - begun.current);
  const query = { maxWrong: maxWrongOf(wrong) };
  const resource = usePolled(PATH, everyMs, { path: { evaluationId: id }, query });
  // Another wished share is another question: what was answered before stays until then.
  const last = useRef(resource.value);
  last.current = resource.value ?? last.current;
  const value = last.current;
  const names = useWorkflowNames();
  useEffect(() => end(isOver(value?.status)), [value?.status]);
  const { problem } = resource;
  const slug = value?.workflow.slug ?? '';
  return (
    <Screen
      title={
        value ? say(own.one, { workflow: names[slug] ?? slug, candidate: candidateOf(value) }) : own.title
      }
      actions={value && <Acts evaluation={value} onChanged={resource.reload} />}
    >
      {problem && <ProblemNotice problem={problem} retry={resource.reload} />}
      {!value && !problem && <Skeleton lines={8} />}
      {value && <Report evaluation={value} wrong={wrong} />}
    </Screen>
  );
};

type ReportProps = Readonly<{ evaluation: EvaluationWithReport; wrong: string | null }>;

const Report = ({ evaluation, wrong }: ReportProps) => {
  const { report } = evaluation;
  return (
    <>
      <About evaluation={evaluation} />
      {report.documents === 0 ? (
        <Empty>{isOver(evaluation.status) ? own.nothing : own.nothingYet}</Empty>
      ) : (
        <>
          <Advice advice={report.advice} wrong={wrong} />
          <div class="stack">
            <Figures report={report} />
            <Changes report={report} />
          </div>
          <Downloads evaluation={evaluation} />
        </>
      )}
      <CopyField label={own.id} value={evaluation.evaluationId} hint={own.idHint} />
    </>
  );
};

const About = ({ evaluation }: Readonly<{ evaluation: EvaluationWithReport }>) => {
  const { status, found, redacted, omitted, createdAt, endedAt, set, report } = evaluation;
  const { done, total } = progressOf(evaluation);
  const { documents, checked } = report;
  return (
    <>
      {!isOver(status) && <progress value={done} max={Math.max(1, total)} aria-label={own.columns.read} />}
      <Facts
        facts={[
          [texts.submissions.columns.status, own.statuses[status]],
          [own.columns.read, say(own.readOf, { done: number(done), total: number(total) })],
          [own.columns.set, shadowOf(evaluation)],
          [own.request.size, number(set.size)],
          [own.request.approvedBy, texts.workflows.words[set.approvedBy]],
          [own.since, set.createdAfter && <When key="since" at={set.createdAfter} exact />],
          [own.before, set.createdBefore && <When key="before" at={set.createdBefore} exact />],
          [own.found, number(found)],
          [own.omitted, redacted + omitted > 0 ? number(redacted + omitted) : null],
          [own.documents, number(documents)],
          [own.checked, say(own.readOf, { done: number(checked), total: number(documents) })],
          [own.columns.requested, <When key="requested" at={createdAt} exact />],
          [own.ended, endedAt && <When key="ended" at={endedAt} exact />],
        ]}
      />
      {!isOver(status) && <p>{own.goesOn}</p>}
      {checked < documents && <p>{own.truth}</p>}
    </>
  );
};

const Downloads = ({ evaluation: { evaluationId } }: Readonly<{ evaluation: EvaluationWithReport }>) => {
  const path = { evaluationId };
  const table = (): Promise<Blob> => api.get(`${PATH}/report.csv`, { path });
  const plot = (): Promise<Blob> => api.get(`${PATH}/report.svg`, { path });
  const take = (read: () => Promise<Blob>, extension: string) => (): void =>
    void read()
      .then((body) => save(body, `${evaluationId}.${extension}`))
      .catch(announceProblem);
  return (
    <p class="actions">
      <Button onClick={take(table, 'csv')}>{texts.csv.save}</Button>
      <Button onClick={take(plot, 'svg')}>{own.savePlot}</Button>
      <a class="button" href={hrefOf('/evaluations')}>
        {own.all}
      </a>
    </p>
  );
};
