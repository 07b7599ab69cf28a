import { useRef, useState } from 'preact/hooks';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { useEach } from '../../app/each.ts';
import type { Problem } from '../../app/problem.ts';
import { problemIn } from '../../app/resource.ts';
import { may } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { EachProgress } from '../../parts/eachProgress.tsx';
import { Notice, ProblemNotice } from '../../parts/notice.tsx';
import { save } from '../../parts/save.ts';
import { say, texts } from '../../texts.ts';
import { addSubmission } from './exported.ts';
import { namesIn, type Subject } from './subject.ts';
import { createZip, TooLarge } from './zip.ts';

const own = texts.privacy;
const PAGE = 100;

/** Why there is no file: the service's answer, or that it would be too large for a browser. */
type Failure = Problem | 'tooLarge';

/** All identifiers of a person's submissions. */
const allOf = async (subject: Subject): Promise<readonly string[]> => {
  const ids: string[] = [];
  const query = { ...namesIn(subject), limit: PAGE };
  for await (const { id } of api.list('/api/v1/submissions', { query })) ids.push(id);
  return ids;
};

/** Saves all that is known of a person as one zip file; where one submission fails there is none. */
export const ExportPerson = ({ subject }: Readonly<{ subject: Subject }>) => {
  const { progress, run, stop } = useEach<string>();
  const isStopped = useRef(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const halt = (): void => {
    isStopped.current = true;
    stop();
  };
  const make = async (): Promise<void> => {
    isStopped.current = false;
    const zip = createZip();
    const ids = await allOf(subject);
    const { done, refused } = await run(ids, async (id) => {
      try {
        await addSubmission(zip, id, () => isStopped.current);
      } catch (error) {
        halt();
        throw error;
      }
    });
    if (refused[0]) setFailure(refused[0].problem);
    if (done.length < ids.length) return;
    save(zip.finish(), 'person.zip');
    announce(say(own.exported, { count: ids.length }));
  };
  const start = (): void => {
    setFailure(null);
    make().catch((error) => setFailure(error instanceof TooLarge ? 'tooLarge' : problemIn(error)));
  };
  if (!may('evidence.export')) return null;
  return (
    <section class="part" aria-labelledby="export">
      <h3 id="export">{own.exportTitle}</h3>
      <p>{own.exportText}</p>
      <div class="actions">
        <EachProgress progress={progress} stop={halt} />
        <Button disabled={progress !== null} onClick={start}>
          {own.export}
        </Button>
      </div>
      {failure === 'tooLarge' && <Notice kind="bad">{own.tooLarge}</Notice>}
      {failure !== null && failure !== 'tooLarge' && <ProblemNotice problem={failure} />}
    </section>
  );
};
