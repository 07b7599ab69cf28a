import { activityTypes, subjectKinds } from '../domain/activity.ts';
import {
  EventId,
  example,
  meaning,
  type Of,
  oneOf,
  pageOf,
  Time,
  Type,
  text,
  times,
} from '../kernel/schema.ts';
import { Actor } from './actors.ts';

export const ActivityType = example(oneOf(activityTypes), 'submission.approved');

export const ActivitySubjectKind = oneOf(subjectKinds);

/** What an activity is about. */
export const ActivitySubject = Type.Object({
  kind: example(ActivitySubjectKind, 'submission'),
  id: text('its identifier; of a workflow its slug', 'sub_01hv6x3m8q2r5t7w9y0a1b2c3d'),
});

/** A row of GET /activity (activity-1). */
export const Activity = Type.Object({
  id: meaning(EventId, 'that of the event'),
  at: meaning(Time, 'when it happened', times.decided),
  type: ActivityType,
  actor: Actor,
  subject: ActivitySubject,
});
export type Activity = Of<typeof Activity>;
export const ActivityPage = pageOf(Activity);
