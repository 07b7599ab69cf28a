import * as assert from 'uvu/assert';
import { evaluation, measuredOf } from '../../../domain/evaluation/evaluation.ts';
import { DomainError } from '../../../kernel/decider.ts';
import { examples } from '../../controls/events.ts';
import { suite } from '../../harness.ts';

const test = suite('evaluation: what may be done with one');

const { EvaluationRequested, EvaluationProgressed, EvaluationPaused, EvaluationCompleted } = examples;
const { EvaluationCancelled, EvaluationResumed, EvaluationExtended } = examples;
const [comparison] = EvaluationProgressed.data.comparisons;
const submissionIds = ['sub_1', 'sub_2', 'sub_3'];
const three = { ...EvaluationRequested, data: { ...EvaluationRequested.data, submissionIds } };

type Given = Parameters<typeof evaluation.evolve>[1];
const after = (...events: readonly Given[]) => events.reduce(evaluation.evolve, evaluation.initial);
const comparisons = comparison ? [comparison] : [];

test('a step is taken once, and the last one completes it', () => {
  const step = { type: 'AdvanceEvaluation', done: 0, comparisons, omitted: [] } as const;
  const [first] = evaluation.decide(step, after(three));
  assert.ok(first);
  assert.is(first.type === 'EvaluationProgressed' && first.data.left, 2);
  assert.equal(after(three, first)?.left, ['sub_2', 'sub_3']);
  assert.equal(evaluation.decide(step, after(three, first)), []);
  const omitted = ['sub_2', 'sub_3'].map((submissionId) => ({ submissionId, reason: 'redacted' as const }));
  const last = evaluation.decide({ ...step, done: 1, comparisons: [], omitted }, after(three, first));
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

const shadow = {
  ...EvaluationRequested,
  data: {
    ...{ ...EvaluationRequested.data, submissionIds: [], shadow: { share: 0.5 } },
    set: { ...EvaluationRequested.data.set, size: 3 },
  },
};
const extend = (...ids: readonly string[]) => ({ type: 'ExtendEvaluation', submissionIds: ids }) as const;
const extended = (...ids: readonly string[]) => ({
  ...EvaluationExtended,
  data: { ...EvaluationExtended.data, submissionIds: ids },
});

test('a shadow begins without any, gets each once, and no more than its size [evaluations-18]', () => {
  assert.equal(
    evaluation.decide({ type: 'RequestEvaluation', request: shadow.data }, null).map(({ type }) => type),
    ['EvaluationRequested'],
  );
  const [first] = evaluation.decide(extend('sub_1', 'sub_2'), after(shadow));
  assert.equal(first, extended('sub_1', 'sub_2'));
  const before = after(shadow, extended('sub_1', 'sub_2'));
  assert.equal(before?.left, ['sub_1', 'sub_2']);
  assert.equal(evaluation.decide(extend('sub_2', 'sub_1'), before), []);
  assert.equal(evaluation.decide(extend('sub_2', 'sub_3', 'sub_4'), before), [extended('sub_3')]);
  assert.equal(evaluation.decide(extend('sub_3'), after(shadow, EvaluationPaused)), []);
  assert.equal(evaluation.decide(extend('sub_4'), after(three)), [], 'no shadow');
});

test('a shadow is completed once it has its size and all is read, also where it grew within a step [evaluations-18]', () => {
  const omitted = (...ids: readonly string[]) =>
    ids.map((submissionId) => ({ submissionId, reason: 'redacted' as const }));
  const step = { type: 'AdvanceEvaluation', done: 0, comparisons, omitted: [] } as const;
  const grown = after(shadow, extended('sub_1'), extended('sub_2'));
  const [progressed, ...none] = evaluation.decide(step, grown);
  assert.ok(progressed);
  assert.equal([progressed.type === 'EvaluationProgressed' && progressed.data.left, none], [1, []]);
  const rest = { ...step, done: 1, comparisons: [], omitted: omitted('sub_2') };
  const caughtUp = evaluation.decide(rest, after(shadow, extended('sub_1', 'sub_2'), progressed));
  assert.equal(
    caughtUp.map(({ type }) => type),
    ['EvaluationProgressed'],
  );
  const last = after(shadow, extended('sub_1', 'sub_2'), progressed, ...caughtUp, extended('sub_3'));
  const end = evaluation.decide({ ...rest, done: 2, omitted: omitted('sub_3') }, last);
  assert.equal(
    end.map(({ type }) => type),
    ['EvaluationProgressed', 'EvaluationCompleted'],
  );
});

test('it is paused, resumed and cancelled until it has ended, each once [evaluations-7]', () => {
  const step = { type: 'AdvanceEvaluation', done: 0, comparisons, omitted: [] } as const;
  const paused = after(three, EvaluationPaused);
  assert.equal(evaluation.decide({ type: 'PauseEvaluation' }, after(three)), [EvaluationPaused]);
  assert.equal(evaluation.decide({ type: 'PauseEvaluation' }, paused), []);
  assert.equal(evaluation.decide(step, paused), [], 'nothing is read of a paused one');
  assert.equal(evaluation.decide({ type: 'ResumeEvaluation' }, paused), [
    { ...EvaluationResumed, data: { ...EvaluationResumed.data, left: 3 } },
  ]);
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
