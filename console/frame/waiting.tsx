import { useEffect } from 'preact/hooks';
import { usePolled } from '../app/polled.ts';
import { rememberWaiting, useWaiting } from '../app/waiting.ts';
import { say, texts } from '../texts.ts';

const own = texts.queue;
const EVERY_MS = 60_000;

/**
 * How many reviews are due, and how many are assigned to the person. `isFollowed`: the queue is on the page,
 * which says so by itself.
 */
export const Waiting = ({ isFollowed }: Readonly<{ isFollowed: boolean }>) => {
  const { value } = usePolled(isFollowed ? null : '/api/v1/review-queue', EVERY_MS, { query: { limit: 1 } });
  useEffect(() => {
    if (value) rememberWaiting(value.counts);
  }, [value]);
  const { waiting = 0, postponed = 0, assigned = 0 } = useWaiting() ?? {};
  const due = Math.max(0, waiting - postponed);
  if (due === 0) return null;
  return (
    <>
      {' '}
      <small>
        {say(own.due, { count: due })}
        {assigned > 0 && `, ${say(own.dueOwn, { count: assigned })}`}
      </small>
    </>
  );
};
