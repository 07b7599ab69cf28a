import { MANIFEST, SIGNATURE } from '../format.ts';
import { type Finding, findingText } from '../verify/findings.ts';
import type { Verdict } from '../verify/package.ts';

/** What is checked of a package, one after the other. */
export const steps = ['signature', 'files', 'events', 'documents'] as const;
export type Step = (typeof steps)[number];

/**
 * The result of a step, and what was found, each in a line. `unsigned`: it is as the manifest says, which
 * nobody has signed. `unchecked`: there was nothing to compare.
 */
export type StepResult = Readonly<{
  step: Step;
  result: 'good' | 'bad' | 'unsigned' | 'unchecked';
  findings: readonly string[];
}>;

/** What was found, step by step. */
export const stepsOf = (verdict: Verdict): readonly StepResult[] =>
  steps.map((step) => {
    const findings = foundIn(verdict, step).map(findingText);
    return { step, result: findings.length > 0 ? 'bad' : withoutFindings(verdict, step), findings };
  });

/** What a redaction removed from what was exported, each in a line. */
export const redactedIn = ({ redacted }: Verdict): readonly string[] => redacted.map(findingText);

const foundIn = ({ findings }: Verdict, step: Step): readonly Finding[] =>
  findings.filter((found) => stepOf(found) === step);

const withoutFindings = (verdict: Verdict, step: Step): StepResult['result'] => {
  const { manifest, signed, events } = verdict;
  const isRead = step === 'signature' || step === 'files' || events.length > 0;
  const isDerived = step !== 'documents' || foundIn(verdict, 'events').length === 0;
  if (!manifest || !isRead || !isDerived) return 'unchecked';
  return signed ? 'good' : 'unsigned';
};

const stepOf = ({ file }: Finding): Step => {
  if (file === MANIFEST || file === SIGNATURE) return 'signature';
  if (file.endsWith('.jsonl')) return 'events';
  return file.endsWith('.json') && !file.includes('/') ? 'documents' : 'files';
};
