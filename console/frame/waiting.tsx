import { useEffect } from 'preact/hooks';
import { usePolled } from '../app/polled.ts';
import { useStore } from '../app/store.ts';
import { rememberWaiting, useWaiting } from '../app/waiting.ts';
import { startOfToday, zone } from '../app/zone.ts';
import { say, texts } from '../texts.ts';

const own = texts.queue;
const EVERY_MS = 60_000;

/**
 * How many reviews are due, how many are assigned to the person, and how many decisions they made today.
 * `isFollowed`: the queue is on the page, which says so by itself.
 */
export const Waiting = ({ isFollowed }: Readonly<{ isFollowed: boolean }>) => {
  useStore(zone);
  const query = { limit: 1, decidedSince: startOfToday() };
  const { value } = usePolled(isFollowed ? null : '/api/v1/review-queue', EVERY_MS, { query });
  useEffect(() => {
    if (value) rememberWaiting(value.counts);
  }, [value]);
  const { waiting = 0, postponed = 0, assigned = 0, decided } = useWaiting() ?? {};
  const due = Math.max(0, waiting - postponed);
  const words = [
    ...(due > 0 ? [say(own.due, { count: due })] : []),
    ...(due > 0 && assigned > 0 ? [say(own.dueOwn, { count: assigned })] : []),
    ...(decided ? [say(own.decidedToday, { count: decided })] : []),
  ];
  if (words.length === 0) return null;
  return (
    <>
      {' '}
      <small>{words.join(', ')}</small>
    </>
  );
};
