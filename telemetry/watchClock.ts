import type { Report } from '../kernel/report.ts';
import { pause } from '../kernel/signals.ts';
import type { Recorder } from './recorder.ts';

/** The machine's clock, which may be set, and a timer that can't be; both in milliseconds. */
type Times = Readonly<{ wallMs(): number; steadyMs(): number }>;

const machine: Times = { wallMs: () => Date.now(), steadyMs: () => performance.now() };
const POLL_MS = 1_000;
/** A slewed clock does not jump; smaller differences have no effect. */
const JUMP_MS = 2_000;

/**
 * Reports each time that the machine's clock is set, until the signal is aborted: what is due by a time of
 * day then comes earlier or later.
 */
export const watchClock = async (
  report: Report,
  { clockSet }: Pick<Recorder, 'clockSet'>,
  signal: AbortSignal,
  { wallMs, steadyMs }: Times = machine,
  pollMs = POLL_MS,
): Promise<void> => {
  const offset = (): number => wallMs() - steadyMs();
  for (let current = offset(); !signal.aborted; ) {
    await pause(pollMs, signal);
    const jumpMs = offset() - current;
    if (Math.abs(jumpMs) < JUMP_MS) continue;
    current += jumpMs;
    const direction = jumpMs > 0 ? 'forward' : 'back';
    clockSet(direction);
    report.warn(`the machine’s clock was set ${direction}`, {
      seconds: Math.round(Math.abs(jumpMs) / 1_000),
    });
  }
};
