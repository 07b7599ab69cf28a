import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { useKeys } from '../../app/keys.ts';
import { useNames } from '../../app/people.ts';
import { useAction, useResource } from '../../app/resource.ts';
import { may } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, ProblemNotice, Reading } from '../../parts/notice.tsx';
import { save } from '../../parts/save.ts';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { PATH } from './read.ts';
import { actorText } from './timeline.tsx';

const own = texts.evidence;
/** A package has all files of its submission. */
const LIMIT_MS = 600_000;

/** Whether the person may export evidence, and see who did. */
export const mayExport = (): boolean => may('evidence.export');

type EvidenceProps = Readonly<{ submissionId: string; onExported(): void }>;

/** Saves the signed evidence of a submission. */
export const EvidenceExport = ({ submissionId, onExported }: EvidenceProps) => {
  const { isRunning, problem, start } = useAction();
  const work = async (): Promise<void> => {
    const path = { submissionId };
    const found = await api.get(`${PATH}/evidence`, { path, timeoutMs: LIMIT_MS });
    save(found, `evidence-${submissionId}.zip`);
    announce(own.exported);
    onExported();
  };
  const run = (): void => void start(work);
  useKeys([{ key: 'e', text: own.act, run }]);
  return (
    <>
      <Button disabled={isRunning} onClick={run}>
        {isRunning ? texts.working : own.act}
      </Button>
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
};

type ExportsProps = Readonly<{ submissionId: string; made: number }>;

/** Who exported the evidence of a submission, and when; read again after each one that was `made` here. */
export const Exports = ({ submissionId, made }: ExportsProps) => {
  const resource = useResource(`${submissionId} exports ${made}`, (signal) =>
    api.get(`${PATH}/evidence/exports`, { path: { submissionId }, signal }),
  );
  const { value } = resource;
  const { data = [], total = 0 } = value ?? {};
  const nameOf = useNames(data.map(({ actor }) => actor.id));
  return (
    <section class="timeline" aria-labelledby="exports">
      <h2 id="exports">{own.title}</h2>
      <Reading resource={resource} lines={2} />
      {value && total === 0 && <Empty>{own.none}</Empty>}
      <ol>
        {data.map(({ exportedAt, actor, requestId }) => (
          <li key={`${exportedAt} ${requestId}`}>
            <When at={exportedAt} exact /> · {actorText(actor, nameOf)}
          </li>
        ))}
      </ol>
      {total > data.length && <p>{say(own.newest, { shown: data.length, total })}</p>}
    </section>
  );
};
