import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../app/resource.ts';
import { may } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { texts } from '../../texts.ts';
import type { Candidate } from '../evaluations/request.tsx';

type DialogProps = Readonly<{ candidate: Candidate; onClose(): void }>;
type Asked = Readonly<{ RequestDialog: ComponentType<DialogProps>; of: Candidate }>;

/** "Evaluate": what it asks is loaded with it. `candidate` throws what is wrong with it. */
export const Evaluate = ({ candidate }: Readonly<{ candidate(): Candidate }>) => {
  const [asked, ask] = useState<Asked | null>(null);
  const { isRunning, problem, start } = useAction();
  const open = (): Promise<boolean> =>
    start(async () => {
      const of = candidate();
      const { RequestDialog } = await import('../evaluations/evaluations.tsx');
      ask({ RequestDialog, of });
    });
  if (!may('workflows.evaluate')) return null;
  return (
    <>
      <Button disabled={isRunning} onClick={() => void open()}>
        {texts.evaluations.request.act}
      </Button>
      {problem && <ProblemNotice problem={problem} />}
      {asked && <asked.RequestDialog candidate={asked.of} onClose={() => ask(null)} />}
    </>
  );
};
