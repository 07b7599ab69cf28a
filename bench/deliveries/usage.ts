import { readdirSync, readFileSync } from 'node:fs';

/** What a process has used since it began: processor time in ms, bytes and calls of writes to files. */
export type Usage = Readonly<{ cpuMs: number; bytes: number; writes: number }>;

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Of the process with this identifier, as Linux counts it. */
export const usageOf = (pid: number): Usage => {
  const members = statOf(pid);
  const io = readFileSync(`/proc/${pid}/io`, 'utf8');
  const counter = (name: string): number => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(io)?.[1]);
  return {
    cpuMs: (Number(members[11]) + Number(members[12])) * TICK_MS,
    bytes: counter('write_bytes'),
    writes: counter('syscw'),
  };
};

/** How often its threads have given up the processor to wait for something. */
export const wakeUpsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    return sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]);
  }, 0);

/** The processor time of its processes in ms: of those that run, and of those that have ended. */
export const childrenMsOf = (pid: number): number => {
  const members = statOf(pid);
  const ended = (Number(members[13]) + Number(members[14])) * TICK_MS;
  return childrenOf(pid).reduce((sum, child) => sum + usageOf(child).cpuMs, ended);
};

/** Behind the name in brackets, which may hold blanks; utime and stime are members 14 and 15 of all. */
const statOf = (pid: number): readonly string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** What was used for each of `count`. */
export const usedFor = (count: number, before: Usage, after: Usage): Usage => ({
  cpuMs: (after.cpuMs - before.cpuMs) / count,
  bytes: (after.bytes - before.bytes) / count,
  writes: (after.writes - before.writes) / count,
});

/** The processes that this one has started and that still run. */
const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
