import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { closed, Mode, meaning, nullable, type Of, Type, text, time, whole } from '../kernel/schema.ts';

/** Which endpoint, and whose. */
export const Scope = closed({ endpointId: Type.String(), companyId: Type.String(), mode: Mode });

/** Who is told that an endpoint was disabled. */
export const Notice = meaning(
  closed({ noticeId: Type.String(), recipients: Type.Array(text('a user')) }),
  'who is told by mail',
);

const told = { noticeId: Type.String(), userId: Type.String(), attempt: whole('which attempt, from 1') };

/** The events of the mails that tell of it. */
export const noticeEvents = {
  WebhookEndpointNoticeMailed: {
    about: 'An administrator was told by mail that it was disabled.',
    data: closed({ ...Scope.properties, ...told }),
  },
  WebhookEndpointNoticeFailed: {
    about: 'An attempt at that mail failed.',
    data: closed({
      ...Scope.properties,
      ...told,
      error: text('without any address'),
      nextAttemptAt: nullable(time('when it is tried again; null when it was given up')),
    }),
  },
} as const satisfies EventDefinitions;

type NoticeEvent = EventsOf<typeof noticeEvents>;
type Named = Readonly<{ noticeId: string; userId: string; attempt: number }>;

/** The attempts of each mail, by `<noticeId>.<userId>`; null for one that needs none any more. */
export type Notices = Readonly<Record<string, number | null>>;

/** `error` null: the mail server has accepted the mail; `nextAttemptAt`: when a failure is tried again. */
export type RecordNotice = Named & Readonly<{ error: string | null; nextAttemptAt: string | null }>;

/** The mails that a notice needs, beside those of former notices that are still to be sent or given up. */
export const noticesWith = (before: Notices, notice: Of<typeof Notice> | undefined): Notices => ({
  ...Object.fromEntries(Object.entries(before).filter(([, attempts]) => attempts !== null)),
  ...Object.fromEntries(notice?.recipients.map((userId) => [`${notice.noticeId}.${userId}`, 0]) ?? []),
});

/** The mails after one more outcome. */
export const after = (
  notices: Notices,
  {
    noticeId,
    userId,
    attempt,
    ...outcome
  }: NoticeEvent['data'] & Readonly<{ nextAttemptAt?: string | null }>,
): Notices => ({ ...notices, [`${noticeId}.${userId}`]: outcome.nextAttemptAt ? attempt : null });

/** Whether this is the next attempt of a mail that is still to be sent. */
export const awaitsNotice = (notices: Notices, { noticeId, userId, attempt }: Named): boolean => {
  const attempts = notices[`${noticeId}.${userId}`];
  return attempts !== undefined && attempts !== null && attempts + 1 === attempt;
};

/** Records an attempt to mail a notice; nothing when it was recorded before. */
export const recordNotice = (
  scope: Of<typeof Scope>,
  notices: Notices,
  { error, nextAttemptAt, ...notice }: RecordNotice,
): readonly NoticeEvent[] => {
  if (!awaitsNotice(notices, notice)) return [];
  const data = { ...scope, ...notice };
  return error === null
    ? [{ type: 'WebhookEndpointNoticeMailed', data }]
    : [{ type: 'WebhookEndpointNoticeFailed', data: { ...data, error, nextAttemptAt } }];
};
