import { aggregates } from '../../domain/aggregates.ts';
import { attempt, change, routing } from '../../domain/submission/routing.ts';
import { delivery } from '../../domain/webhookDeliveryEvents.ts';
import type { EventDefinition } from '../../kernel/eventDefinition.ts';
import { StoredMetadata } from '../../kernel/metadata.ts';
import { closed, type TSchema } from '../../kernel/schema.ts';
import { allProjections } from '../../projections/all.ts';
import { handledBy } from '../../projections/engine/projection.ts';
import { endDeliveries } from '../../reactors/endDeliveries.ts';
import { finishInvitations } from '../../reactors/finishInvitations.ts';
import { forgetBatches } from '../../reactors/forgetBatches.ts';
import { forgetPeople } from '../../reactors/forgetPeople.ts';
import { requestDeliveries } from '../../reactors/requestDeliveries.ts';
import { settleCredentials } from '../../reactors/settleCredentials.ts';
import { introduction } from './eventsIntroduction.ts';
import { alike, type Field, fieldsOf, membersOf } from './fields.ts';

const nothing = async (): Promise<null> => null;

/** The reactors as readers: nothing is done by them here. */
export const reactors = [
  requestDeliveries(async () => undefined, { load: async () => undefined, learn: () => undefined }),
  finishInvitations(nothing),
  settleCredentials({ settleKey: async () => undefined, settleUser: async () => undefined }),
  endDeliveries(async () => undefined, { reached: async () => true }),
  forgetPeople({
    redactPeople: { forgetUser: nothing, forgetInvitation: async () => undefined },
    progress: { reached: async () => true },
    documents: {},
  }),
  forgetBatches({
    log: { load: async () => ({ events: [], unknown: [], head: null }) },
    progress: { reached: async () => true },
    documents: {},
    batches: { find: nothing },
    deliveries: { ofEvent: async () => ({ items: [], next: null }) },
    redactDeliveries: async () => ({ count: 0, position: null }),
    hasRequested: async () => true,
    destroyKey: async () => undefined,
  }),
];

/** The members that many events carry. */
const groups = [
  { name: 'the routing', title: 'Routing', members: membersOf(closed(routing)) },
  { name: 'the change of status', title: 'Change of status', members: membersOf(closed(change)) },
  { name: 'the attempt', title: 'Attempt', members: membersOf(closed(attempt)) },
  { name: 'the delivery', title: 'Delivery', members: membersOf(delivery({})) },
] as const;

/** docs/events.md, from the definitions of the events. */
export const eventsPage = (): string =>
  [
    introduction,
    '## What all events carry\n',
    'Beside its data each event has an `id` (a UUID), a `type`, its stream, revision and position, and metadata:\n',
    tableOf(
      [...membersOf(StoredMetadata)].flatMap(([name, schema]) =>
        fieldsOf(name, schema, optionalIn(StoredMetadata).includes(name)),
      ),
    ),
    '\nFour groups of members are part of many events; below they are named, not repeated.\n',
    ...groups.map(({ title, members }) => `**${title}**\n\n${tableOf(rowsOf(members))}\n`),
    ...aggregates.flatMap(({ category, events }) => [
      `## \`${category}…\`\n`,
      ...Object.entries<EventDefinition>(events).map(([type, definition]) => eventText(type, definition)),
    ]),
  ].join('\n');

const eventText = (type: string, { about, data, earlier = [] }: EventDefinition): string => {
  const older = earlier.map((version, n) => `Version ${n + 1}:\n\n${dataText(version.data)}\n`);
  const facts = `${about} Version ${earlier.length + 1}. Read by ${readersOf(type)}.`;
  return [`### ${type}\n`, `${facts}\n`, `${dataText(data)}\n`, ...older].join('\n');
};

const readersOf = (type: string): string => {
  const includes = (types: readonly string[]): boolean => types.includes(type);
  const names = [
    ...allProjections.filter((projection) => includes(handledBy(projection))),
    ...reactors.filter(({ handles }) => includes(handles)),
  ].map(({ name }) => code(name));
  return names.length === 0 ? 'the decisions on its stream only' : names.join(', ');
};

/** Which groups an event carries, and its own members. One member of a group may have a form of its own. */
const dataText = (schema: TSchema): string => {
  const members = membersOf(schema);
  const carried = groups.filter((group) => {
    const shared = [...group.members].filter(([name, member]) => alike(member, members.get(name)));
    return shared.length >= Math.max(group.members.size - 1, 2);
  });
  const isDocumented = (name: string): boolean =>
    carried.some((group) => alike(group.members.get(name), members.get(name)));
  const own = new Map([...members].filter(([name]) => !isDocumented(name)));
  const names = carried.map(({ name }) => name);
  const carries = names.length === 0 ? '' : `Carries ${listed(names)}${own.size === 0 ? '.' : ', and:\n\n'}`;
  return `${carries}${own.size === 0 ? '' : tableOf(rowsOf(own, optionalIn(schema)))}`;
};

const rowsOf = (members: ReturnType<typeof membersOf>, optional: readonly string[] = []): readonly Field[] =>
  [...members].flatMap(([name, schema]) => fieldsOf(name, schema, optional.includes(name)));

const optionalIn = (schema: TSchema): readonly string[] => {
  const { properties, required = [] } = schema as { properties?: object; required?: readonly string[] };
  return Object.keys(properties ?? {}).filter((name) => !required.includes(name));
};

const tableOf = (fields: readonly Field[]): string =>
  [
    '| member | type | |',
    '|---|---|---|',
    ...fields.map(({ path, type, meaning }) => `| \`${path}\` | ${type} | ${meaning} |`),
  ].join('\n');

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const code = (name: string): string => `\`${name}\``;
