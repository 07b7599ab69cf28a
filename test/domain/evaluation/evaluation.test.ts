import * as assert from 'uvu/assert';
import { evaluation, measuredOf } from '../../../domain/evaluation/evaluation.ts';
import { DomainError } from '../../../kernel/decider.ts';
import { examples } from '../../controls/events.ts';
import { suite } from '../../harness.ts';

const test = suite('evaluation: what may be done with one');

const { EvaluationRequested, EvaluationProgressed, EvaluationPaused, EvaluationCompleted } = examples;
const { EvaluationCancelled, EvaluationResumed } = examples;
const [comparison] = EvaluationProgressed.data.comparisons;
const submissionIds = ['sub_1', 'sub_2', 'sub_3'];
const three = { ...EvaluationRequested, data: { ...EvaluationRequested.data, submissionIds } };

type Given = Parameters<typeof evaluation.evolve>[1];
const after = (...events: readonly Given[]) => events.reduce(evaluation.evolve, evaluation.initial);
const comparisons = comparison ? [comparison] : [];

test('a step is taken once, and the last one completes it', () => {
  const step = { type: 'AdvanceEvaluation', left: 3, comparisons, omitted: [] } as const;
  const [first] = evaluation.decide(step, after(three));
  assert.ok(first);
  assert.is(first.type === 'EvaluationProgressed' && first.data.left, 2);
  assert.equal(after(three, first)?.left, ['sub_2', 'sub_3']);
  assert.equal(evaluation.decide(step, after(three, first)), []);
  const omitted = ['sub_2', 'sub_3'].map((submissionId) => ({ submissionId, reason: 'redacted' as const }));
  const last = evaluation.decide({ ...step, left: 2, comparisons: [], omitted }, after(three, first));
  assert.equal(
    last.map(({ type }) => type),
    ['EvaluationProgressed', 'EvaluationCompleted'],
  );
  assert.is(after(three, first, ...last)?.status, 'completed');
});

test('one of no submissions is completed at once', () => {
  const request = { ...EvaluationRequested.data, submissionIds: [] };
  const events = evaluation.decide({ type: 'RequestEvaluation', request }, null);
  assert.equal(
    events.map(({ type }) => type),
    ['EvaluationRequested', 'EvaluationCompleted'],
  );
  assert.equal(evaluation.decide({ type: 'RequestEvaluation', request }, after(...events)), []);
});

test('it is paused, resumed and cancelled until it has ended, each once', () => {
  const step = { type: 'AdvanceEvaluation', left: 3, comparisons, omitted: [] } as const;
  const paused = after(three, EvaluationPaused);
  assert.equal(evaluation.decide({ type: 'PauseEvaluation' }, after(three)), [EvaluationPaused]);
  assert.equal(evaluation.decide({ type: 'PauseEvaluation' }, paused), []);
  assert.equal(evaluation.decide(step, paused), [], 'nothing is read of a paused one');
  assert.equal(evaluation.decide({ type: 'ResumeEvaluation' }, paused), [EvaluationResumed]);
  assert.equal(evaluation.decide({ type: 'ResumeEvaluation' }, after(three)), []);
  assert.equal(evaluation.decide({ type: 'CancelEvaluation' }, paused), [EvaluationCancelled]);
  const cancelled = after(three, EvaluationCancelled);
  assert.equal(evaluation.decide({ type: 'CancelEvaluation' }, cancelled), []);
  for (const ended of [cancelled, after(three, EvaluationCompleted), null])
    for (const type of ['PauseEvaluation', 'ResumeEvaluation'] as const)
      assert.throws(() => evaluation.decide({ type }, ended), isEnded);
  assert.throws(() => evaluation.decide({ type: 'CancelEvaluation' }, after(EvaluationCompleted)), isEnded);
});

const isEnded = (error: Error): boolean => error instanceof DomainError && error.name === 'EvaluationEnded';

test('the threshold is the company’s own where it has one', () => {
  const { definition, settings } = EvaluationRequested.data;
  assert.equal(measuredOf({ definition, settings }), { required: ['total'], reviewBelow: 0.8 });
  assert.is(measuredOf({ definition, settings: { ...settings, reviewBelow: 0.9 } }).reviewBelow, 0.9);
});
