import { closed, type TSchema } from '../../kernel/schema.ts';
import { allProjections } from '../../projections/all.ts';
import { handledBy } from '../../projections/engine/projection.ts';
import { finishInvitations } from '../../reactors/finishInvitations.ts';
import { requestDeliveries } from '../../reactors/requestDeliveries.ts';
import type { EventEntry } from '../../schemas/events/event.ts';
import { StoredMetadata } from '../../schemas/events/metadata.ts';
import { attempt, change, routing } from '../../schemas/events/parts.ts';
import { delivery } from '../../schemas/events/webhookDelivery.ts';
import { eventStreams } from '../../schemas/events.ts';
import { introduction } from './eventsIntroduction.ts';
import { alike, type Field, fieldsOf, membersOf } from './fields.ts';

const nothing = async (): Promise<null> => null;

/** The reactors as readers: nothing is done by them here. */
export const reactors = [requestDeliveries(async () => undefined), finishInvitations(nothing)];

/** What many events carry, told once. */
const groups = [
  { name: 'the routing', title: 'Routing', members: membersOf(closed(routing)) },
  { name: 'the change of status', title: 'Change of status', members: membersOf(closed(change)) },
  { name: 'the attempt', title: 'Attempt', members: membersOf(closed(attempt)) },
  { name: 'the delivery', title: 'Delivery', members: membersOf(delivery({})) },
] as const;

/** docs/events.md, from the catalogue. */
export const eventsPage = (): string =>
  [
    introduction,
    '## What all events carry\n',
    'Beside its data each event has an `id` (a UUID), a `type`, its place (stream, revision, position), and metadata:\n',
    tableOf(
      [...membersOf(StoredMetadata)].flatMap(([name, schema]) =>
        fieldsOf(name, schema, name === 'requestId'),
      ),
    ),
    '\nFour groups of members stand in many events, and are meant below where they are named.\n',
    ...groups.map(({ title, members }) => `**${title}**\n\n${tableOf(rowsOf(members))}\n`),
    ...eventStreams.flatMap(({ category, events }) => [
      `## \`${category}…\`\n`,
      ...Object.entries<EventEntry>(events).map(([type, entry]) => eventText(type, entry)),
    ]),
  ].join('\n');

const eventText = (type: string, { about, writtenBy, versions }: EventEntry): string => {
  const current = versions.at(-1);
  if (!current) throw new Error(`${type} has no version`);
  const facts = [
    `Version ${versions.length}.`,
    ...(writtenBy.length === 0 ? [] : [`Written by ${writtenBy.map(code).join(', ')}.`]),
    `Read by ${readersOf(type)}.`,
  ];
  const older = versions.slice(0, -1).map((schema, n) => `Version ${n + 1}:\n\n${dataText(schema)}\n`);
  return [`### ${type}\n`, `${about} ${facts.join(' ')}\n`, `${dataText(current)}\n`, ...older].join('\n');
};

const readersOf = (type: string): string => {
  const includes = (types: readonly string[]): boolean => types.includes(type);
  const names = [
    ...allProjections.filter((projection) => includes(handledBy(projection))),
    ...reactors.filter(({ handles }) => includes(handles)),
  ].map(({ name }) => code(name));
  return names.length === 0 ? 'the decisions on its stream alone' : names.join(', ');
};

/** Which groups an event carries, and its own members. One member of a group may have a form of its own. */
const dataText = (schema: TSchema): string => {
  const members = membersOf(schema);
  const carried = groups.filter((group) => {
    const told = [...group.members].filter(([name, member]) => alike(member, members.get(name)));
    return told.length >= Math.max(group.members.size - 1, 2);
  });
  const isTold = (name: string): boolean =>
    carried.some((group) => alike(group.members.get(name), members.get(name)));
  const own = new Map([...members].filter(([name]) => !isTold(name)));
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
