import { counted } from '../../kernel/counted.ts';
import type { Recorded } from '../../kernel/event.ts';
import { compile } from '../../schemas/ajv.ts';
import { hashOf } from '../../stores/events/hash.ts';
import { chainBreak } from '../chain.ts';
import { Line, MANIFEST, type ManifestEntry, type ManifestStream, openedOf, storedOf } from '../format.ts';
import type { ReadLine } from './content.ts';
import { eventOf, type Finding, finding } from './findings.ts';
import { parsed } from './json.ts';

const checkLine = compile(Line);
const MAX_FINDINGS = 100;

/** The findings in a stream's lines, and their events; null when these can't be trusted. */
type StreamCheck = Readonly<{ findings: readonly Finding[]; events: readonly Recorded[] | null }>;

/**
 * Compares lines with the manifest (at `pointer`), and checks their order, numbers and chain. `isIntact`: the
 * file has the hash that the manifest names, so that where lines differ the manifest is wrong.
 */
export const checkStream = (
  stream: ManifestStream,
  pointer: string,
  lines: readonly ReadLine[],
  isIntact: boolean,
): StreamCheck => {
  const isAsListed =
    lines.length === stream.events.length &&
    lines.every(({ sha256 }, index) => sha256 === stream.events[index]?.line);
  if (isAsListed) return checkLines(stream, pointer, lines);
  return {
    findings: isIntact ? manifestFindings(stream, pointer, lines) : lineFindings(stream, lines),
    events: null,
  };
};

const manifestFindings = (
  { events, path }: ManifestStream,
  pointer: string,
  lines: readonly ReadLine[],
): readonly Finding[] => {
  if (lines.length !== events.length) {
    const detail = `it names ${counted(events.length, 'event')}, ${path} holds ${lines.length}`;
    return [finding(MANIFEST, detail, { pointer: `${pointer}/events` })];
  }
  return events.flatMap((event, index) =>
    event.line === lines[index]?.sha256
      ? []
      : [
          finding(MANIFEST, `is not the hash of the event’s line in ${path}`, {
            pointer: `${pointer}/events/${index}/line`,
            event: eventOf(event),
          }),
        ],
  );
};

/** Which events of a stream were changed, removed, added or moved, by the hashes of lines in the manifest. */
const lineFindings = ({ path, events }: ManifestStream, lines: readonly ReadLine[]): readonly Finding[] => {
  const found =
    lines.length === events.length ? inPlace(path, events, lines) : outOfPlace(path, events, lines);
  return found.slice(0, MAX_FINDINGS);
};

/** As many lines as events: each is compared with its own. */
const inPlace = (
  path: string,
  events: readonly ManifestEntry[],
  lines: readonly ReadLine[],
): readonly Finding[] => {
  const byHash = new Map(events.map((event) => [event.line, event]));
  return events.flatMap((event, index) => {
    const line = lines[index];
    if (!line || line.sha256 === event.line) return [];
    const other = byHash.get(line.sha256);
    const detail = other ? `in its place is event ${other.revision} (${other.type})` : changeOf(event, line);
    return [finding(path, detail, { event: eventOf(event) })];
  });
};

/** More lines than events, or fewer. */
const outOfPlace = (
  path: string,
  events: readonly ManifestEntry[],
  lines: readonly ReadLine[],
): readonly Finding[] => {
  const remaining = new Map<string, ManifestEntry>(events.map((event) => [event.line, event]));
  const all = new Map(remaining);
  const added = lines.flatMap(({ sha256 }, index) => {
    const own = remaining.delete(sha256);
    const twice = all.get(sha256);
    if (own) return [];
    const what = twice
      ? `holds event ${twice.revision} (${twice.type}) once more`
      : 'holds what was not exported, or was changed';
    return [finding(path, `line ${index + 1} ${what}`)];
  });
  const missing = [...remaining.values()].map((event) =>
    finding(path, 'it was removed or changed', { event: eventOf(event) }),
  );
  return [...missing, ...added];
};

const changeOf = (event: ManifestEntry, { text }: ReadLine): string => {
  const line = text === null ? null : parsed<Line>(text, checkLine);
  if (!line || 'fault' in line) return 'it was changed: no event can be read from its line';
  return hashOf(storedOf(line.value)) === event.hash
    ? 'it was changed: its stored form is as exported; its stream, revision, position or opened private part is not'
    : 'its stored form was changed';
};

const checkLines = (stream: ManifestStream, pointer: string, lines: readonly ReadLine[]): StreamCheck => {
  const findings: Finding[] = [];
  const read: Line[] = [];
  for (const [index, entry] of stream.events.entries()) {
    const line = readLine(lines[index]?.text ?? null);
    if ('fault' in line) findings.push(finding(stream.path, line.fault, { event: eventOf(entry) }));
    else {
      read.push(line.value);
      findings.push(...entryFindings(stream, entry, line.value, `${pointer}/events/${index}`));
    }
  }
  if (findings.length > 0) return { findings, events: null };
  const broken = chainBreak(read.map(storedOf), pointer !== '/submission');
  if (!broken) return { findings, events: read.map(openedOf) };
  const { detail, ...event } = broken;
  return { findings: [finding(stream.path, `the chain breaks: ${detail}`, { event })], events: null };
};

const readLine = (text: string | null): Readonly<{ value: Line }> | Readonly<{ fault: string }> => {
  if (text === null) return { fault: 'its line is longer than any event' };
  const line = parsed<Line>(text, checkLine);
  if ('fault' in line) return { fault: `its line is no event: ${line.fault}` };
  // The parsed value must be the hashed text: of a repeated member only one would be parsed.
  if (JSON.stringify(line.value) !== text) return { fault: 'its line is not written as it was exported' };
  const isPrivate = storedOf(line.value).data.private !== undefined;
  if (isPrivate !== (line.value.private !== null))
    return { fault: 'it is opened where nothing is sealed, or the reverse' };
  return line;
};

/** Differences between the manifest's entry of an event and its line. */
const entryFindings = (
  stream: ManifestStream,
  entry: ManifestEntry,
  line: Line,
  pointer: string,
): readonly Finding[] => {
  const event = storedOf(line);
  const actual = { revision: event.revision, id: event.id, type: event.type, hash: hashOf(event) };
  const wrong = (['revision', 'id', 'type', 'hash'] as const).filter((name) => actual[name] !== entry[name]);
  const other =
    event.stream === stream.stream
      ? []
      : [
          finding(stream.path, `it is of the stream ${event.stream.slice(0, 100)}`, {
            event: eventOf(entry),
          }),
        ];
  return [
    ...other,
    ...wrong.map((name) =>
      finding(MANIFEST, `is not the ${name} of the event in ${stream.path}`, {
        pointer: `${pointer}/${name}`,
        event: eventOf(entry),
      }),
    ),
  ];
};
