import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { latencies, quantile } from '../../bench/openLoop.ts';
import { optionsOf } from '../../bench/options.ts';
import { createClient, type IntakeClient } from '../../client/index.ts';
import type { Of } from '../../kernel/schema.ts';
import type { EvaluationWithReport } from '../../schemas/evaluations.ts';
import { freePorts } from '../../test/support/freePort.ts';
import { print } from '../named.ts';
import { candidate, definition, faulty, invoice } from './evaluation/invoices.ts';
import { admitted, folderOf, type Killable, killableService } from './served.ts';

/** What `npm run trial -- --help` says of this. */
export const summary =
  'candidates with known faults on approved submissions (--submissions 500, --kills 10): what the report says of them, killed meanwhile, beside the API';

const AT_ONCE = 8;
const [RATE, IDLE_SECONDS] = [20, 20];
const GOAL_TIMES = 3;
/** How long it is left alone at most before it is killed. */
const LONGEST_MS = 1_200;
const MAX_WRONG = 0.05;

type Answer = Of<typeof EvaluationWithReport>;
type Check = Readonly<{ what: string; found: string; isReached: boolean }>;

/**
 * Sends invoices, approves each with what is true of it, and evaluates candidates: one with faults, which
 * the report must name; one whose threshold is advised on the first half and tried on the second; and
 * the same twice, killed meanwhile. True when all of it holds.
 */
export const run = async (options: readonly string[]): Promise<boolean> => {
  const { submissions, kills } = optionsOf(options, { submissions: 500, kills: 10 });
  const folder = folderOf([]);
  const settings = { ...folder.settings, ...(await freePorts()) };
  const service = killableService(settings);
  try {
    const { key } = await admitted(settings, folder.path, definition);
    await service.start();
    const intake = createClient({ url: `http://127.0.0.1:${settings.PORT}`, key });
    const middle = await approved(intake, submissions);
    const checks = [
      ...(await faultsNamed(intake)),
      ...(await advised(intake, middle)),
      ...(await undisturbed(intake, service, kills)),
    ];
    for (const { what, found, isReached } of checks)
      print(`${what}: ${found}: ${isReached ? 'reached' : 'MISSED'}`);
    return checks.every(({ isReached }) => isReached);
  } finally {
    await service.kill();
    folder.remove();
  }
};

/** Has invoices approved with what is true of them, and gives when half of them were there. */
const approved = async (intake: IntakeClient, count: number): Promise<string> => {
  let begun = 0;
  let done = 0;
  let middle = '';
  const lane = async (): Promise<void> => {
    while (begun < count) {
      const { text, truth } = invoice(begun++);
      const file = { content: new TextEncoder().encode(text), name: 'invoice.txt' };
      const { sessionId } = await intake.submit(definition.slug, [file]);
      const { submissionId, result } = await intake.wait(sessionId);
      const wrong = Object.entries(truth).filter(([name, value]) => result?.fields[name]?.value !== value);
      const body = { corrections: Object.fromEntries(wrong) };
      await intake.post('/api/v1/submissions/{submissionId}/approve', { path: { submissionId }, body });
      done += 1;
      if (done === Math.floor(count / 2)) middle = new Date().toISOString();
      if (done % 100 === 0) print(`${done} of ${count} approved`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return middle;
};

type Request = Readonly<{ definition: object; set?: object }>;

const evaluated = async (
  intake: IntakeClient,
  body: Request,
  meanwhile: (answer: Answer) => Promise<void> = async () => undefined,
): Promise<Answer> => {
  const set = { size: 5_000, ...body.set };
  const made = await intake.post('/api/v1/evaluations', { body: { ...body, set } as never });
  const path = { evaluationId: made.evaluationId };
  for (;;) {
    const answer = await intake.get('/api/v1/evaluations/{evaluationId}', {
      path,
      query: { maxWrong: MAX_WRONG },
    });
    if (answer.status !== 'running') return answer;
    await meanwhile(answer);
    await sleep(250);
  }
};

const faultsNamed = async (intake: IntakeClient): Promise<readonly Check[]> => {
  const { report } = await evaluated(intake, { definition: faulty(0.8) });
  const of = (side: 'before' | 'after', name: string) => {
    const found = report[side].fields.find((field) => field.name === name);
    return { right: found?.right?.share ?? 0, sure: (found?.sure ?? 0) / report.documents };
  };
  const fields = ['company', 'number', 'date', 'total'].map((name) => {
    const [before, after] = [of('before', name), of('after', name)];
    const isFault = name === 'number' || name === 'total';
    const isWorse = after.right < before.right || after.sure < before.sure;
    const said = ({ right, sure }: typeof after): string => `${percent(right)} right, ${percent(sure)} sure`;
    const found = `${said(after)}, before ${said(before)}`;
    return { what: `${name}, ${isFault ? 'broken' : 'left'}`, found, isReached: isFault === isWorse };
  });
  const careless = await evaluated(intake, { definition: faulty(0.05) });
  const wrong = careless.report.after.wrongApproved?.share ?? 0;
  const what = 'a third one, a threshold that doubts nothing';
  return [
    ...fields,
    { what, found: `${percent(wrong)} of what no person sees is wrong`, isReached: wrong > MAX_WRONG },
  ];
};

const advised = async (intake: IntakeClient, middle: string): Promise<readonly Check[]> => {
  const set = { createdBefore: middle };
  const { report } = await evaluated(intake, { definition: candidate(0.8), set });
  const threshold = report.advice?.threshold;
  const what = `a threshold for at most ${percent(MAX_WRONG)} wrong, on the other half`;
  if (!threshold) return [{ what, found: 'none is advised', isReached: false }];
  const { reviewBelow } = threshold;
  const other = await evaluated(intake, {
    definition: candidate(reviewBelow),
    set: { createdAfter: middle },
  });
  const { approved: share, wrongApproved } = other.report.after;
  const wrong = wrongApproved?.share ?? 0;
  const found = `${reviewBelow}: ${percent(share?.share ?? 0)} approved, ${percent(wrong)} of these wrong`;
  return [{ what, found, isReached: wrong <= MAX_WRONG }];
};

/** The same evaluation twice: beside requests to the API, and killed. */
const undisturbed = async (
  intake: IntakeClient,
  service: Killable,
  kills: number,
): Promise<readonly Check[]> => {
  const request = { definition: candidate(0.5) };
  const page = () => intake.get('/api/v1/submissions', { query: { limit: 20 } });
  const reads = (seconds: number) => latencies(page, RATE, seconds);
  await reads(5);
  const idle = await reads(IDLE_SECONDS);
  const busy: number[] = [];
  const once = await evaluated(intake, request, async () => void busy.push(...(await reads(2))));
  let killed = 0;
  const again = await evaluated(intake, request, async () => {
    if (killed >= kills) return;
    await sleep(LONGEST_MS * Math.random());
    await service.kill();
    killed += 1;
    await service.start();
  });
  const times = quantile(busy, 0.99) / quantile(idle, 0.99);
  const p99 = `${quantile(idle, 0.99).toFixed(1)} ms idle, ${quantile(busy, 0.99).toFixed(1)} ms beside ${once.total} submissions`;
  return [
    { what: 'p99 of the API', found: `${p99}, ${times.toFixed(1)} times`, isReached: times <= GOAL_TIMES },
    {
      what: `the same report after ${killed} kills`,
      found: `${again.read} read, ${again.omitted} left out`,
      isReached: killed === kills && isDeepStrictEqual(again.report, once.report),
    },
  ];
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
