import { activityTypes } from '../domain/activity.ts';
import { fraudStatuses } from '../domain/submission/fraud.ts';
import { reviewReasonCodes } from '../domain/submission/result.ts';
import { statuses } from '../domain/submission/transitions.ts';
import { deliveryStatuses } from '../domain/webhookDeliveryEvents.ts';
import { type WebhookEventType, webhookEventTypes } from '../domain/webhookEvents.ts';
import { oneOf, Type } from '../kernel/schema.ts';
import { searchedTerms } from '../kernel/searchRanges.ts';
import { batchStatuses } from './batches.ts';
import { Day } from './figures.ts';
import {
  BATCH_NAME,
  BatchName,
  type Parameter,
  printable,
  TIME_EXAMPLE,
  textParameter,
  timeParameter,
} from './parameters.ts';
import { queueOrders } from './reviewQueue.ts';
import { SubmissionStatus } from './sessions.ts';
import { Receiver } from './webhooks.ts';

/** Of words that are searched at once (search-2). */
const MAX_WORDS = 8;
const MAX_LENGTH = 200;

const searchParameter = (description: string): Parameter<string | null> => {
  const parameter = textParameter(
    Type.String({ minLength: 1, maxLength: MAX_LENGTH, examples: ['rechn 2026-03-04 1.234,50'] }),
    description,
  );
  const isSearchable = (text: string): boolean => {
    const { terms, fault } = searchedTerms(text);
    const { length } = terms;
    return fault === null && length > 0 && length <= MAX_WORDS;
  };
  return {
    ...parameter,
    read: (text) => {
      const read = parameter.read(text);
      return typeof read === 'string' && !isSearchable(read) ? undefined : read;
    },
    fault: (text) => searchedTerms(text.slice(0, MAX_LENGTH)).fault,
  };
};

/** What names a person in submissions: the client's own identifier, or a member of metadata. */
export const subjectNames = {
  clientSubmissionId: Type.String({ minLength: 1, maxLength: 512 }),
  metadata: Type.String({ pattern: '^[^=]+=', maxLength: 1_024, examples: ['customer=4711'] }),
};

/** The filters of GET /submissions. */
export const submissionFilters = {
  q: searchParameter(
    `only submissions in which every word of this text begins a word: 1 to ${MAX_LENGTH} characters, up to ${MAX_WORDS} words. Dates and amounts are found however they are written. A word such as \`2026-01-01..2026-01-31\`, \`2026-01..2026-03\`, \`100..200\` or, open at one end, \`1.234,50..\` is a range of dates or amounts: an extracted value is within it, both ends included`,
  ),
  workflow: textParameter(printable, 'only submissions of the workflow with this slug'),
  status: textParameter(SubmissionStatus, `only submissions of this status, one of ${statuses.join(', ')}`),
  fraudStatus: textParameter(
    oneOf([...fraudStatuses, 'null']),
    `only submissions of this fraud status, one of ${fraudStatuses.join(', ')}, or null for those without one`,
  ),
  clientSubmissionId: textParameter(
    subjectNames.clientSubmissionId,
    'only submissions with this clientSubmissionId',
  ),
  batchRef: textParameter(BatchName, `only submissions of this batch: ${BATCH_NAME}`),
  metadata: textParameter(
    subjectNames.metadata,
    'only submissions whose metadata have this member with exactly this text, number, true or false, as `name=value`',
  ),
  createdAfter: timeParameter(`only submissions created at this time or later, ${TIME_EXAMPLE}`),
  createdBefore: timeParameter(`only submissions created before this time, ${TIME_EXAMPLE}`),
};

/** The order and the filters of GET /review-queue. */
export const queueFilters = {
  order: textParameter(
    oneOf(queueOrders),
    'oldest: those that have waited longest first, which is the default; riskiest: the highest fraud score first, then the lowest confidence',
  ),
  workflow: textParameter(printable, 'only submissions of the workflow with this slug'),
  reason: textParameter(
    oneOf(reviewReasonCodes),
    `only submissions in review for this reason, one of ${reviewReasonCodes.join(', ')}`,
  ),
  fraudStatus: textParameter(
    oneOf(fraudStatuses),
    `only submissions of this fraud status, one of ${fraudStatuses.join(', ')}`,
  ),
  claimed: textParameter(
    oneOf(['mine', 'others', 'none']),
    'only submissions that the caller has claimed, that others have, or that nobody has: mine, others or none',
  ),
  assigned: textParameter(
    oneOf(['mine', 'others', 'none']),
    'only submissions that are assigned to the caller, to others, or to nobody: mine, others or none',
  ),
  postponed: textParameter(
    oneOf(['only', 'with']),
    'only: those whose review is put off; with: these too; without it they are left out',
  ),
};

/** So many days have figures at once, at most. */
export const MAX_DAYS = 92;

/** What GET /review-figures is restricted by. */
export const figureFilters = {
  workflow: textParameter(printable, 'only submissions of the workflow with this slug'),
  from: textParameter(Day, 'the first day, in UTC, such as 2026-11-01'),
  until: textParameter(Day, 'the last day, in UTC; today unless it is given'),
};

/** The filters of GET /batches. */
export const batchFilters = {
  status: textParameter(
    oneOf(batchStatuses),
    `only batches of this status, one of ${batchStatuses.join(', ')}`,
  ),
  createdAfter: timeParameter(
    `only batches whose first session was created at this time or later, ${TIME_EXAMPLE}`,
  ),
  createdBefore: timeParameter(
    `only batches whose first session was created before this time, ${TIME_EXAMPLE}`,
  ),
};

/** The filters of GET /activity. */
export const activityFilters = {
  type: textParameter(oneOf(activityTypes), `only this type, one of ${activityTypes.join(', ')}`),
  actor: textParameter(printable, 'only what this person, key or operator did: its identifier'),
  subject: textParameter(
    printable,
    'only what was done about this submission, person, invitation, key, endpoint, workflow or company: its identifier, of a workflow its slug',
  ),
  createdAfter: timeParameter(`only what happened at this time or later, ${TIME_EXAMPLE}`),
  createdBefore: timeParameter(`only what happened before this time, ${TIME_EXAMPLE}`),
};

/** The filters of GET /webhook-deliveries. */
export const deliveryFilters = {
  sessionId: textParameter(printable, 'only deliveries of this session'),
  submissionId: textParameter(printable, 'only deliveries about this submission'),
  status: textParameter(
    oneOf(deliveryStatuses),
    `only deliveries of this status, one of ${deliveryStatuses.join(', ')}`,
  ),
  eventType: textParameter(
    oneOf(webhookEventTypes),
    `only deliveries of this event type, one of ${webhookEventTypes.join(', ')}`,
  ),
  receiver: textParameter(
    Receiver,
    'only deliveries to this host, in lower case, with its port where it has one',
  ),
  keyId: textParameter(printable, 'only deliveries for sessions that this key has opened'),
  endpointId: textParameter(printable, 'only deliveries to this webhook endpoint, for sessions of any key'),
  createdAfter: timeParameter(`only deliveries requested at this time or later, ${TIME_EXAMPLE}`),
  createdBefore: timeParameter(`only deliveries requested before this time, ${TIME_EXAMPLE}`),
};

/** Comma-separated event types, in a fixed order; null when absent. */
export const eventTypes: Parameter<readonly WebhookEventType[] | null> = {
  schema: Type.String({ examples: ['session.completed,session.failed'] }),
  description: `only events of these types, separated by commas: ${webhookEventTypes.join(', ')}`,
  malformed: 400,
  read: (text) => {
    if (text === null) return null;
    const named = text.split(',');
    const types = webhookEventTypes.filter((type) => named.includes(type));
    return types.length === new Set(named).size ? types : undefined;
  },
};
