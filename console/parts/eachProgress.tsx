import type { Each } from '../app/each.ts';
import { say, texts } from '../texts.ts';
import { Button } from './button.tsx';

const own = texts.selection;

/** How far an act on many is, and a button that stops it; nothing while none runs. */
export const EachProgress = ({ progress, stop }: Pick<Each<unknown>, 'progress' | 'stop'>) => {
  if (!progress) return null;
  const { at, count, isStopping } = progress;
  return (
    <>
      <progress value={at} max={count} aria-label={own.title} />
      <span role="status">{say(own.progress, { at, count })}</span>
      <Button disabled={isStopping} onClick={stop}>
        {isStopping ? own.stopping : own.stop}
      </Button>
    </>
  );
};
