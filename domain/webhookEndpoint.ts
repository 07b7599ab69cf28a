import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import { type Decider, DomainError } from '../kernel/decider.ts';
import { type EventOf, type Open, reveal } from '../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { pick } from '../kernel/pick.ts';
import {
  closed,
  meaning,
  nullable,
  type Of,
  oneOf,
  privatePart,
  Type,
  text,
  time,
} from '../kernel/schema.ts';
import {
  after,
  Notice,
  type Notices,
  noticeEvents,
  noticesWith,
  type RecordNotice,
  recordNotice,
  Scope,
} from './endpointNotices.ts';
import { retrySchedules } from './retrySchedule.ts';
import { webhookEventTypes } from './webhookEvents.ts';

/**
 * The stream of a webhook endpoint: `webhookEndpoint-<ulid>`. Its secrets are in the table `endpointSecrets`.
 */
export const webhookEndpointStream = (endpointId: string): string => `webhookEndpoint-${endpointId.slice(4)}`;

/** How many endpoints a company may have in a mode. */
export const MAX_ENDPOINTS = 16;

/** The longest time in which an endpoint's former secret signs too: 7 days. */
export const MAX_SECRET_OVERLAP_S = 604_800;

const options = {
  eventTypes: meaning(
    nullable(Type.Array(oneOf(webhookEventTypes))),
    'the types of the events that it gets; null: all, also those of later releases',
  ),
  retrySchedule: oneOf(retrySchedules),
  private: privatePart({ url: text('where its webhooks go'), description: nullable(Type.String()) }),
};

/** Why an endpoint may be disabled. */
export const disableReasons = ['request', 'failures'] as const;

const events = {
  WebhookEndpointCreated: {
    about: 'A company gets the webhooks of its events at one more address.',
    data: closed({ ...Scope.properties, ...options }),
  },
  WebhookEndpointChanged: {
    about: 'Where its webhooks go, which they are, or when they are tried again was changed.',
    data: closed({ ...Scope.properties, ...options }),
  },
  WebhookEndpointSecretRotated: {
    about: 'It got a new secret.',
    data: closed({ ...Scope.properties, overlapEndsAt: time('until when the former secret signs too') }),
  },
  WebhookEndpointDisabled: {
    about: 'It gets no webhooks, until it is enabled.',
    data: closed({
      ...Scope.properties,
      reason: meaning(oneOf(disableReasons), 'somebody asked for it, or nothing was delivered for days'),
      failingSince: nullable(time('the first failure since the last success; null for a request')),
      notice: Type.Optional(Notice),
    }),
  },
  WebhookEndpointEnabled: {
    about: 'It gets the webhooks of what happens from now on.',
    data: Scope,
  },
  ...noticeEvents,
  WebhookEndpointDeleted: { about: 'It is gone for good.', data: Scope },
} as const satisfies EventDefinitions;

export type WebhookEndpointEvent = EventsOf<typeof events>;
type Created = EventOf<WebhookEndpointEvent, 'WebhookEndpointCreated'>['data'];

/** What its owner chooses; `eventTypes` null: all. */
export type EndpointOptions = Readonly<{ url: string; description: string | null }> &
  Pick<Created, 'eventTypes' | 'retrySchedule'>;

/**
 * `disabled`: why it gets nothing; null while it is enabled. `notices`: the attempts of each mail that is to
 * tell of it, by `<noticeId>.<userId>`; null for one that needs none any more.
 */
export type WebhookEndpoint = Of<typeof Scope> &
  EndpointOptions &
  Readonly<{ disabled: (typeof disableReasons)[number] | null; isDeleted: boolean; notices: Notices }>;

const optionsOf = ({
  private: part,
  ...data
}: Pick<Created, 'eventTypes' | 'retrySchedule' | 'private'>) => ({
  ...pick(data, 'eventTypes', 'retrySchedule'),
  url: reveal(part, 'url'),
  description: reveal(part, 'description'),
});

const evolve = evolveBy<WebhookEndpoint | null, WebhookEndpointEvent>({
  WebhookEndpointCreated: (_state, data) => ({
    ...scopeOf(data),
    ...optionsOf(data),
    disabled: null,
    isDeleted: false,
    notices: {},
  }),
  WebhookEndpointChanged: (state, data) => state && { ...state, ...optionsOf(data) },
  WebhookEndpointSecretRotated: (state) => state,
  WebhookEndpointDisabled: (state, { reason, notice }) =>
    state && { ...state, disabled: reason, notices: noticesWith(state.notices, notice) },
  WebhookEndpointNoticeMailed: (state, data) => state && { ...state, notices: after(state.notices, data) },
  WebhookEndpointNoticeFailed: (state, data) => state && { ...state, notices: after(state.notices, data) },
  WebhookEndpointEnabled: (state) => state && { ...state, disabled: null },
  WebhookEndpointDeleted: (state) => state && { ...state, isDeleted: true },
});

const decisions = {
  CreateWebhookEndpoint: (input: Of<typeof Scope> & EndpointOptions, state) => {
    if (state) throw new DomainError('WebhookEndpointExists', 'There is an endpoint of that identifier.');
    return [{ type: 'WebhookEndpointCreated', data: { ...scopeOf(input), ...dataOf(input) } }];
  },
  ChangeWebhookEndpoint: (input: EndpointOptions, state) => {
    const found = presentEndpoint(state);
    const data = { ...scopeOf(found), ...dataOf(input) };
    const isSame = JSON.stringify(dataOf(found)) === JSON.stringify(dataOf(input));
    return isSame ? [] : [{ type: 'WebhookEndpointChanged', data }];
  },
  RotateWebhookEndpointSecret: ({ overlapEndsAt }: Readonly<{ overlapEndsAt: string }>, state) => [
    { type: 'WebhookEndpointSecretRotated', data: { ...scopeOf(presentEndpoint(state)), overlapEndsAt } },
  ],
  DisableWebhookEndpoint: (
    input: Pick<
      EventOf<WebhookEndpointEvent, 'WebhookEndpointDisabled'>['data'],
      'reason' | 'failingSince' | 'notice'
    >,
    state,
  ) => {
    const found = presentEndpoint(state);
    if (found.disabled !== null) return [];
    return [{ type: 'WebhookEndpointDisabled', data: { ...scopeOf(found), ...input } }];
  },
  /** Records an attempt to mail a notice; nothing when it was recorded before. */
  RecordNotice: (input: RecordNotice, state) =>
    state ? recordNotice(scopeOf(state), state.notices, input) : [],
  EnableWebhookEndpoint: (_input, state) => {
    const found = presentEndpoint(state);
    return found.disabled === null ? [] : [{ type: 'WebhookEndpointEnabled', data: scopeOf(found) }];
  },
  DeleteWebhookEndpoint: (_input, state) => [
    { type: 'WebhookEndpointDeleted', data: scopeOf(presentEndpoint(state)) },
  ],
} satisfies Decisions<WebhookEndpoint | null, WebhookEndpointEvent>;

const scopeOf = (endpoint: Of<typeof Scope>) => pick(endpoint, 'endpointId', 'companyId', 'mode');

const dataOf = ({ url, description, eventTypes, retrySchedule }: EndpointOptions) => {
  const part: Open<Created['private']> = { url, description };
  // In one order and each once, so that the same choice is the same event.
  const types = eventTypes && webhookEventTypes.filter((type) => eventTypes.includes(type));
  return { eventTypes: types, retrySchedule, private: part };
};

/** The endpoint, if there is one. Throws `WebhookEndpointNotFound`, also for one that was deleted. */
export const presentEndpoint = (state: WebhookEndpoint | null): WebhookEndpoint => {
  if (state === null || state.isDeleted)
    throw new DomainError('WebhookEndpointNotFound', 'There is no such endpoint.');
  return state;
};

/** Why nothing is sent to an endpoint; null where it is enabled. */
export const whyClosed = (endpoint: WebhookEndpoint | null): string | null => {
  if (!endpoint || endpoint.isDeleted) return 'the endpoint was deleted';
  return endpoint.disabled === null ? null : 'the endpoint is disabled';
};

/**
 * An address of a company that gets the webhooks of all its sessions in one mode. Disabling, enabling and
 * changing to what already holds is no fault.
 */
export const webhookEndpoint: Decider<
  WebhookEndpoint | null,
  CommandOf<typeof decisions>,
  WebhookEndpointEvent
> = {
  category: 'webhookEndpoint-',
  events,
  initial: null,
  evolve,
  decide: decideBy(decisions),
  subject: ({ data }) => data.endpointId,
};
