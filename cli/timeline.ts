import { evolve, type Submission } from '../domain/submission/state.ts';
import { sessionIdOf } from '../domain/submission/submission.ts';
import { type Change, changesBetween, isObject } from '../kernel/changes.ts';
import type { Actor } from '../kernel/event.ts';
import { publicName } from '../kernel/event.ts';
import type { Audited } from './audited.ts';
import { printable } from './output.ts';

/**
 * An event as an auditor reads it: all of its data, and what it changed in the submission. `known`: whether
 * this release supports its type and version, else it changes nothing here. `faults`: where it breaks its
 * schema.
 */
export type Entry = Readonly<ReturnType<typeof nextEntry>['entry']>;

/** The submission after one more event, and its entry. */
export const nextEntry = (before: Submission | null, event: Audited) => {
  const { revision, id, metadata, known, data } = event;
  const { state, faults } = stateAfter(before, event);
  const entry = {
    revision,
    id,
    type: publicName(event.type),
    occurredAt: metadata.at,
    actor: metadata.actor,
    requestId: metadata.requestId ?? null,
    correlation: metadata.$correlationId,
    causation: metadata.$causationId,
    schema: metadata.schema,
    known,
    faults,
    data,
    changes: state === null ? [] : changesBetween(before ?? {}, state),
  };
  return { state, entry };
};

/**
 * An event that can't be folded, since it breaks its schema or rests on one that this release lacks,
 * leaves the state as it was.
 */
const stateAfter = (before: Submission | null, event: Audited) => {
  const { known, faults } = event;
  if (!known) return { state: before, faults };
  try {
    return { state: evolve(before, event), faults };
  } catch (error) {
    const detail = `can’t be folded: ${error instanceof Error ? error.message : String(error)}`;
    return { state: before, faults: [...faults, { pointer: '', detail }] };
  }
};

/** A stream's entries, and the state that each of them left. */
export const timelineOf = (events: readonly Audited[]) => {
  const states: (Submission | null)[] = [];
  const entries = events.map((event) => {
    const { state, entry } = nextEntry(states.at(-1) ?? null, event);
    states.push(state);
    return entry;
  });
  return { entries, states };
};

/** What the timeline is of, for people. */
export const headText = ({ routing, workflow, batchRef, clientSubmissionId }: Submission): string => {
  const { submissionId, companyId, mode, keyId } = routing;
  const facts = [
    `Submission ${submissionId}`,
    `session ${sessionIdOf(submissionId)}`,
    `workflow ${workflow.slug} version ${workflow.version}`,
    `company ${companyId} (${mode})`,
    `opened with ${keyId}`,
    ...(clientSubmissionId === null
      ? []
      : [`client’s name ${printable(JSON.stringify(clientSubmissionId))}`]),
    ...(batchRef === null ? [] : [`batch ${printable(JSON.stringify(batchRef))}`]),
  ];
  return facts.join('\n  ');
};

/** An entry for people: when, what, who, for which request; below it what was said, and what changed. */
export const entryText = (entry: Entry): string => {
  const { revision, type, occurredAt, actor, requestId, changes } = entry;
  const request = requestId === null ? '' : `  request ${printable(requestId)}`;
  const head = `${occurredAt}  #${revision} ${printable(type)}  by ${actorText(actor)}${request}`;
  const changed = changes
    .filter((change) => isInformative(change) && !isInHead(change) && !(revision === 0 && isInitial(change)))
    .flatMap(changeLines);
  return [head, ...[...doubtsOf(entry), ...saidIn(entry), ...changed].map((line) => `    ${line}`)].join(
    '\n',
  );
};

/** Why an entry is not to be read as the others. */
const doubtsOf = ({ known, schema, faults }: Entry): readonly string[] => [
  ...(known ? [] : [`NOT KNOWN to this release (version ${schema}): its changes are not shown`]),
  ...faults.map(({ pointer, detail }) =>
    pointer === '' ? `NOT SOUND: ${printable(detail)}` : `BREAKS ITS SCHEMA: ${printable(pointer)} ${detail}`,
  ),
];

/** Identifiers of keys and users say by themselves what they are of. */
const actorText = (actor: Actor | undefined): string => {
  const { kind, id } = actor ?? { kind: 'nobody', id: '' };
  return printable(/^(key|usr)_/.test(id) ? id : `${kind} ${id}`);
};

/** What the state does not keep: who the client says it was, and what was said, unless a change has it. */
const saidIn = ({ data, changes }: Pick<Entry, 'data' | 'changes'>): readonly string[] => {
  const part: Readonly<Record<string, unknown>> = Object(Object(data).private);
  if ('redacted' in part) return ['private part redacted'];
  return SAID.flatMap(([name, title]) =>
    isEmpty(part[name] ?? null) || changes.some(({ to }) => to === part[name])
      ? []
      : [`${title}: ${short(part[name])}`],
  );
};

const SAID = [
  ['actor', 'in the name of'],
  ['resolvedBy', 'in the name of'],
  ['comment', 'comment'],
  ['reason', 'reason'],
  ['text', 'note'],
] as const;

/** Told once, above the timeline. */
const isInHead = ({ pointer }: Change): boolean =>
  ['/routing', '/workflow', '/clientSubmissionId', '/batchRef'].includes(pointer);

/** A change as lines: an object that was not there before member by member, all else on one. */
export const changeLines = (change: Change): readonly string[] => {
  const { pointer, from, to } = change;
  if (!isEmpty(from) || !isObject(to)) return [changeText(change)];
  const members = changesBetween({}, to, pointer).filter(isInformative);
  return members.length === 0 ? [changeText(change)] : members.map(changeText);
};

/** A change on one line; long values are cut. */
const changeText = ({ pointer, from, to }: Change): string => {
  const member = printable(pointer.slice(1).replaceAll('/', '.'));
  return isEmpty(from) ? `${member}: ${short(to)}` : `${member}: ${short(from)} → ${short(to)}`;
};

/** People need not see a change from nothing to an empty list or object. */
const isInformative = ({ from, to }: Change): boolean => !(isEmpty(from) && isEmpty(to));

/** What every submission starts with. */
const isInitial = ({ to }: Change): boolean => to === 0 || to === false;

const isEmpty = (value: unknown): boolean => ['null', '[]', '{}'].includes(JSON.stringify(value));

const MAX_LENGTH = 100;

const short = (value: unknown): string => {
  const text = printable(JSON.stringify(value));
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
};
