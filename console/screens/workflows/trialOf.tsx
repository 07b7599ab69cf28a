import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../app/resource.ts';
import { Button } from '../../parts/button.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { texts } from '../../texts.ts';
import type { TrialProps } from './trial.tsx';

/** "Try with a file": the pages that it shows are loaded with it. */
export const TrialOf = (props: TrialProps) => {
  const [found, setFound] = useState<Readonly<{ Trial: ComponentType<TrialProps> }> | null>(null);
  const { isRunning, problem, start } = useAction();
  const load = (): Promise<boolean> =>
    start(async () => setFound({ Trial: (await import('./trial.tsx')).default }));
  if (found) return <found.Trial {...props} />;
  return (
    <p class="actions">
      <Button disabled={isRunning} onClick={() => void load()}>
        {texts.workflows.trial.title}
      </Button>
      {problem && <ProblemNotice problem={problem} />}
    </p>
  );
};
