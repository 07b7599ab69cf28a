import { counted } from '../../kernel/counted.ts';
import type { Recorded } from '../../kernel/event.ts';
import { compile } from '../../schemas/ajv.ts';
import { hashOf } from '../../stores/events/hash.ts';
import { chainBreak } from '../chain.ts';
import { Line, MANIFEST, type ManifestEntry, type ManifestStream } from '../format.ts';
import { openedOf, storedOf } from '../lines.ts';
import type { ReadLine } from './content.ts';
import { type Finding, finding } from './findings.ts';
import { parsed } from './json.ts';
import { lineFindings } from './lines.ts';

const checkForm = compile(Line);

/** What a stream's lines tell: what is wrong with them, and their events; null when they can't be relied upon. */
export type StreamCheck = Readonly<{ findings: readonly Finding[]; events: readonly Recorded[] | null }>;

/**
 * Checks lines against what the manifest says of them (at `pointer`), their order, numbers and chain. `isWhole`: the file's bytes are those that the
 * manifest names, so that where lines differ the manifest is wrong.
 */
export const checkStream = (
  stream: ManifestStream,
  pointer: string,
  lines: readonly ReadLine[],
  isWhole: boolean,
): StreamCheck => {
  const asNamed =
    lines.length === stream.events.length &&
    lines.every(({ sha256 }, index) => sha256 === stream.events[index]?.line);
  if (asNamed) return checkLines(stream, pointer, lines);
  return {
    findings: isWhole ? wronglyNamed(stream, pointer, lines) : lineFindings(stream, lines),
    events: null,
  };
};

const wronglyNamed = (
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
            event: named(event),
          }),
        ],
  );
};

const checkLines = (stream: ManifestStream, pointer: string, lines: readonly ReadLine[]): StreamCheck => {
  const findings: Finding[] = [];
  const read: Line[] = [];
  for (const [index, entry] of stream.events.entries()) {
    const line = readLine(lines[index]?.text ?? null);
    if ('fault' in line) findings.push(finding(stream.path, line.fault, { event: named(entry) }));
    else {
      read.push(line.value);
      findings.push(...misnamed(stream, entry, line.value, `${pointer}/events/${index}`));
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
  const line = parsed<Line>(text, checkForm);
  if ('fault' in line) return { fault: `its line is no event: ${line.fault}` };
  // What is read must be what is hashed: a member that stands twice would be read once.
  if (JSON.stringify(line.value) !== text) return { fault: 'its line is not written as it was exported' };
  const isPrivate = storedOf(line.value).data.private !== undefined;
  if (isPrivate !== (line.value.private !== null))
    return { fault: 'it is opened where nothing is sealed, or the reverse' };
  return line;
};

/** What the manifest says of an event and its line does not. */
const misnamed = (
  stream: ManifestStream,
  entry: ManifestEntry,
  line: Line,
  pointer: string,
): readonly Finding[] => {
  const event = storedOf(line);
  const told = { revision: event.revision, id: event.id, type: event.type, hash: hashOf(event) };
  const wrong = (['revision', 'id', 'type', 'hash'] as const).filter((name) => told[name] !== entry[name]);
  const other =
    event.stream === stream.stream
      ? []
      : [finding(stream.path, `it is of the stream ${event.stream.slice(0, 100)}`, { event: named(entry) })];
  return [
    ...other,
    ...wrong.map((name) =>
      finding(MANIFEST, `is not the ${name} of the event in ${stream.path}`, {
        pointer: `${pointer}/${name}`,
        event: named(entry),
      }),
    ),
  ];
};

const named = ({ revision, id, type }: ManifestEntry) => ({ revision, id, type });
