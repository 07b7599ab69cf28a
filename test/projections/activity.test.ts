import * as assert from 'uvu/assert';
import { activity } from '../../projections/activity.ts';
import { examples, logged, ofCompany, timeOf, variants } from '../controls/events.ts';
import { suite } from '../harness.ts';
import { foldAlone } from './spec.ts';

const test = suite('projection of activity');
const { UserRoleChanged, UserDisabled, UserCreated, WorkflowPublished, ApiKeyCreated } = examples;
const { companyId } = UserRoleChanged.data;

/** The company, the mode and the type of each document. */
const rowsOf = (...events: readonly Parameters<typeof logged>[0][number][]) =>
  Object.values(foldAlone(activity, logged(events))).map((document) => {
    const { companyId, mode, type } = document as { companyId: string; mode: string; type: string };
    return `${companyId} ${mode} ${type}`;
  });

test('what belongs to a mode is in that one, all else in both', () => {
  assert.equal(rowsOf(ApiKeyCreated), [`${companyId} live key.created`]);
  assert.equal(rowsOf(ofCompany('UserDisabled')), [
    `${companyId} live user.disabled`,
    `${companyId} test user.disabled`,
  ]);
});

test('whoever becomes a super_admin leaves a company; what is of none is in no activity', () => {
  const { data } = UserRoleChanged;
  const promoted = { ...UserRoleChanged, data: { ...data, role: 'super_admin', companyId: null } } as const;
  assert.is(rowsOf(promoted)[0], `${companyId} live user.role_changed`);
  const created = {
    ...UserCreated,
    data: { ...UserCreated.data, role: 'super_admin', companyId: null },
  } as const;
  assert.equal(rowsOf(created), []);
  assert.equal(rowsOf({ ...ApiKeyCreated, data: { ...ApiKeyCreated.data, companyId: null } }), []);
});

test('events of before, which name no company, are in no activity', () => {
  assert.equal(rowsOf(UserDisabled, WorkflowPublished), []);
});

test('a version is activity of each company that it is assigned to', () => {
  const published = variants['WorkflowPublished.companies'] as typeof WorkflowPublished;
  const data = { ...published.data, companies: ['cmp_1', 'cmp_2'] };
  assert.equal(rowsOf({ ...published, data }), [
    ...['cmp_1 live workflow.published', 'cmp_1 test workflow.published'],
    ...['cmp_2 live workflow.published', 'cmp_2 test workflow.published'],
  ]);
});

test('a document has who, when and about what, and nothing else of its event', () => {
  const [event] = logged([examples.SubmissionRejected]);
  const documents = Object.entries(foldAlone(activity, event ? [event] : []));
  const { companyId, mode, submissionId } = examples.SubmissionRejected.data;
  const id = `${companyId}/${mode}/${event?.id}`;
  const type = 'submission.rejected';
  const document = { id, eventId: event?.id, companyId, mode, type, actor: event?.metadata.actor };
  const subject = { kind: 'submission', id: submissionId };
  assert.equal(documents, [[id, { ...document, subject, createdAt: timeOf(1) }]]);
});
