import * as assert from 'uvu/assert';
import type { Tried } from '../../domain/evaluation/gate.ts';
import { labelFields, workflow, workflowStream } from '../../domain/workflow.ts';
import { examples } from '../controls/events.ts';
import { definition } from '../controls/workflow.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('workflow');
const { WorkflowPublished: published, WorkflowAssigned: assigned, WorkflowUnassigned: unassigned } = examples;
const { workflowId } = published.data;
const { companyId } = assigned.data;
const field = { label: null, description: null, type: 'string', validation: null } as const;
const publish = { type: 'PublishWorkflow', workflowId, definition } as const;
const assign = { type: 'AssignWorkflow', companyId } as const;
const unassign = { type: 'UnassignWorkflow', companyId } as const;

test('the first definition is version 1', () => given(workflow).when(publish).then(published));

test('the next one is version 2 of the same workflow [definitions-4]', () =>
  given(workflow, published)
    .when({ ...publish, workflowId: 'wf_other', definition: { ...definition, name: 'Bill' } })
    .then({ type: 'WorkflowPublished', data: { ...published.data, name: 'Bill', version: 2 } }));

test('a version that is expected to be another than the next one is refused [workflows-12]', () => {
  given(workflow, published)
    .when({ ...publish, version: 2 })
    .thenTypes('WorkflowPublished');
  for (const version of [1, 3])
    given(workflow, published)
      .when({ ...publish, version })
      .thenRefused('WorkflowVersionTaken');
  given(workflow)
    .when({ ...publish, version: 2 })
    .thenRefused('WorkflowVersionTaken');
});

const gate = { set: { size: 50, approvedBy: 'person' }, maxWrong: 0.02 } as const;
const gated = {
  ...published,
  data: { ...published.data, processing: { ...published.data.processing, gate } },
} as const;
const tried: Tried = {
  ...{ evaluationId: 'evl_1', isCompleted: true, isSame: true, approvedBy: 'person' },
  ...{ documents: 60, approved: 50, wrong: 1 },
};
const figures = { documents: 60, approved: 50, wrong: 1, maxWrong: 0.02 };

test('a version that is followed by a gate passes it with what an evaluation has shown [evaluations-15, evaluations-17]', () => {
  const passage = { evaluationId: 'evl_1', ...figures, forcedBecause: null };
  const passed = { type: 'WorkflowPublished', data: { ...published.data, version: 2, passage } } as const;
  given(workflow, gated)
    .when({ ...publish, tried })
    .then(passed);
  given(workflow, gated)
    .when({ ...publish, tried, force: 'not needed' })
    .then(passed);
  given(workflow, gated, passed).when(publish).thenTypes('WorkflowPublished');
});

test('a gate refuses what was not tried, not enough, not on what people approved, or is wrong too often [evaluations-16]', () => {
  const refused = [
    [null, 'It must be tried on 50 approved submissions first: name a completed evaluation of it.'],
    [{ isSame: false }, 'evl_1 is an evaluation of another definition.'],
    [{ isCompleted: false }, 'evl_1 is not completed.'],
    [{ approvedBy: 'anybody' }, 'evl_1 is not of submissions that a person approved.'],
    [{ documents: 49 }, 'evl_1 has 49 submissions, and 50 are asked for.'],
    [
      { wrong: 2 },
      'By evl_1, 2 of 50 that it approves without a person are wrong: 4 %, and 2 % are allowed.',
    ],
  ] as const;
  for (const [members, why] of refused) {
    const { message } = given(workflow, gated)
      .when({ ...publish, tried: members && { ...tried, ...members } })
      .thenRefused('PublishGateClosed');
    assert.is(message, `Version 1 has a gate. ${why}`);
  }
});

test('a gate is forced with a reason, which the event keeps [evaluations-17]', () => {
  const passage = {
    ...{ evaluationId: null, documents: 0, approved: 0, wrong: 0, maxWrong: 0.02 },
    forcedBecause: 'urgent',
  };
  given(workflow, gated)
    .when({ ...publish, force: 'urgent' })
    .then({ type: 'WorkflowPublished', data: { ...published.data, version: 2, passage } });
});

test('a version names the companies that it is assigned to', () =>
  void given(workflow, published, assigned)
    .when(publish)
    .then({ type: 'WorkflowPublished', data: { ...published.data, version: 2, companies: [companyId] } }));

test('the same definition again is a version of its own', () =>
  void given(workflow, published).when(publish).thenTypes('WorkflowPublished'));

test('a company is assigned, once', () => {
  given(workflow, published).when(assign).then(assigned);
  given(workflow, published, assigned).when(assign).then();
});

test('a company is unassigned, once, and may be assigned again', () => {
  given(workflow, published, assigned).when(unassign).then(unassigned);
  given(workflow, published).when(unassign).then();
  given(workflow, published, assigned, unassigned).when(unassign).then();
  given(workflow, published, assigned, unassigned).when(assign).then(assigned);
});

test('companies do not share their assignments', () => {
  given(workflow, published, assigned)
    .when({ ...assign, companyId: 'cmp_other' })
    .thenTypes('WorkflowAssigned');
  given(workflow, published, assigned)
    .when({ ...unassign, companyId: 'cmp_other' })
    .then();
});

test('publishing leaves the assignments', () => {
  const again = { ...published, data: { ...published.data, version: 2 } };
  const { state } = given(workflow, published, assigned, again);
  assert.equal(state, { workflowId, slug: 'receipt', version: 2, companies: [companyId] });
});

test('a workflow that was never published is assigned to nobody', () => {
  given(workflow).when(assign).thenRefused('WorkflowNotFound');
  given(workflow).when(unassign).thenRefused('WorkflowNotFound');
});

test('its stream is named by the slug', () => {
  assert.is(workflowStream('receipt'), 'workflow-receipt');
  assert.is(workflow.subject(published), null);
});

test('a submission is named by the fields of the list, else by the first required, else by the first [labels-2]', () => {
  const fields = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...field, name }));
  const named = (list: readonly string[] | undefined, isRequired: (name: string) => boolean) => {
    const outputSchema = fields.map((one) => ({ ...one, required: isRequired(one.name) }));
    return labelFields({ outputSchema, ...(list && { list }) }).map(({ name }) => name);
  };
  assert.equal(
    named(['e', 'a'], () => true),
    ['e', 'a'],
  );
  assert.equal(
    named(undefined, (name) => name > 'a'),
    ['b', 'c', 'd'],
  );
  assert.equal(
    named(undefined, (name) => name === 'd'),
    ['d'],
  );
  assert.equal(
    named(undefined, () => false),
    ['a', 'b', 'c'],
  );
});
