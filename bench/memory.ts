import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type IntakeClient } from '../client/index.ts';
import { judge, median, type Row } from './measure.ts';
import { optionsOf } from './options.ts';
import { withService } from './service.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'memory of the service under a steady load of submissions: later against early';

const AT_ONCE = 4;
const SAMPLES = 20;
/** How long the goal wants the load to last. */
const GOAL_MINUTES = 30;

/**
 * Sends submissions for `--minutes N` (default 30), and compares the memory at the end with that after
 * `--from N` (2): medians of samples over the half minute before each, as garbage is collected in between.
 * Needs Linux.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { minutes, from } = optionsOf(options, { minutes: 30, from: 2 });
  return withService(async ({ server, key, folder }) => {
    const submit = submitter(createClient({ url: server.url, key }), folder);
    let isOver = false;
    let sent = 0;
    const lane = async (): Promise<void> => {
      while (!isOver) await submit(sent++);
    };
    const lanes = Promise.all(Array.from({ length: AT_ONCE }, lane));
    const early = await Promise.race([memoryAfter(server.pid, from), lanes]);
    const late = await Promise.race([memoryAfter(server.pid, minutes - from), lanes]);
    isOver = true;
    await lanes;
    const what = `memory after ${minutes} minutes of load`;
    const note = minutes < GOAL_MINUTES ? `, shorter than the ${GOAL_MINUTES} minutes of the goal` : '';
    const goal = {
      figure: 'P15',
      what,
      yardstick: `after ${from}`,
      goal: 1.15,
      isAtMost: true,
      unit: 'times',
    };
    const detail = `${late} MB against ${early}, ${sent} submissions${note}`;
    return [judge(goal, Number(late) / Number(early), detail)];
  });
};

/** Sends a page of text, and asks for its job until it is processed. */
const submitter =
  (api: IntakeClient, folder: string) =>
  async (n: number): Promise<void> => {
    const file = join(folder, `page${n % AT_ONCE}.txt`);
    const text = `Nordwind ${n} Ltd.\nHarbour Street 1\nDate: 2026-03-14\nTotal: GBP ${10 + (n % 900)}.${10 + (n % 90)}\n`;
    writeFileSync(file, text);
    const { sessionId } = await api.submit('receipt', [file], { clientSubmissionId: `n${n}` });
    const job = () => api.get('/api/v1/jobs/{sessionId}', { path: { sessionId } });
    // More often than `wait`: the load shall not pause.
    while (['queued', 'processing'].includes((await job()).state)) await sleep(20);
  };

/** The resident megabytes of a process at the end of so many minutes. */
const memoryAfter = async (pid: number, minutes: number): Promise<number> => {
  const window = Math.min(30_000, minutes * 30_000);
  await sleep(minutes * 60_000 - window);
  const samples: number[] = [];
  for (let n = 0; n < SAMPLES; n += 1) {
    await sleep(window / SAMPLES);
    samples.push(residentOf(pid));
  }
  return median(samples);
};

const residentOf = (pid: number): number => {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1_000);
};
