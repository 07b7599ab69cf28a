import { MANIFEST, SIGNATURE } from '../format.ts';
import type { Finding, Place } from '../verify/findings.ts';
import type { Verdict } from '../verify/package.ts';

/** What is checked of a package, one after the other. */
export const steps = ['signature', 'files', 'events', 'documents'] as const;
export type Step = (typeof steps)[number];

/**
 * The result of a step, and what was found. `unsigned`: it is as the manifest says, which
 * nobody has signed. `unchecked`: there was nothing to compare.
 */
export type StepResult<F extends Place = Finding> = Readonly<{
  step: Step;
  result: 'good' | 'bad' | 'unsigned' | 'unchecked';
  findings: readonly F[];
}>;

type Judged<F extends Place> = Pick<Verdict, 'manifest' | 'signed' | 'events'> &
  Readonly<{ findings: readonly F[] }>;

/** What was found, step by step. */
export const stepsOf = <F extends Place>(verdict: Judged<F>): readonly StepResult<F>[] =>
  steps.map((step) => {
    const findings = foundIn(verdict, step);
    return { step, result: findings.length > 0 ? 'bad' : withoutFindings(verdict, step), findings };
  });

const foundIn = <F extends Place>({ findings }: Judged<F>, step: Step): readonly F[] =>
  findings.filter((found) => stepOf(found) === step);

const withoutFindings = <F extends Place>(verdict: Judged<F>, step: Step): StepResult['result'] => {
  const { manifest, signed, events } = verdict;
  const isRead = step === 'signature' || step === 'files' || events.length > 0;
  const isDerived = step !== 'documents' || foundIn(verdict, 'events').length === 0;
  if (!manifest || !isRead || !isDerived) return 'unchecked';
  return signed ? 'good' : 'unsigned';
};

const stepOf = ({ file }: Place): Step => {
  if (file === MANIFEST || file === SIGNATURE) return 'signature';
  if (file.endsWith('.jsonl')) return 'events';
  return file.endsWith('.json') && !file.includes('/') ? 'documents' : 'files';
};
