import type { Recorded } from '../../kernel/event.ts';
import { hashedText } from '../../kernel/hashedText.ts';
import { chainBreak } from '../chain.ts';
import {
  type Line,
  MANIFEST,
  type ManifestEntry,
  type ManifestStream,
  openedOf,
  storedOf,
} from '../format.ts';
import type { ReadLine } from './content.ts';
import { eventOf, type Finding, finding, said } from './findings.ts';
import { parsed } from './json.ts';
import { lineFindings, manifestFindings } from './listing.ts';
import { type Platform, sha256Of } from './platform.ts';
import type { Said } from './sentences.ts';

/** The findings in a stream's lines, and their events; null when these can't be trusted. */
type StreamCheck = Readonly<{ findings: readonly Finding[]; events: readonly Recorded[] | null }>;

/**
 * Compares lines with the manifest (at `pointer`), and checks their order, numbers and chain. `isIntact`: the
 * file has the hash that the manifest names, so that where lines differ the manifest is wrong.
 */
export const checkStream = async (
  platform: Platform,
  stream: ManifestStream,
  pointer: string,
  lines: readonly ReadLine[],
  isIntact: boolean,
): Promise<StreamCheck> => {
  const isAsListed =
    lines.length === stream.events.length &&
    lines.every(({ sha256 }, index) => sha256 === stream.events[index]?.line);
  if (isAsListed) return checkLines(platform, stream, pointer, lines);
  return {
    findings: isIntact
      ? manifestFindings(stream, pointer, lines)
      : await lineFindings(platform, stream, lines),
    events: null,
  };
};

const checkLines = async (
  platform: Platform,
  stream: ManifestStream,
  pointer: string,
  lines: readonly ReadLine[],
): Promise<StreamCheck> => {
  const findings: Finding[] = [];
  const read: Line[] = [];
  const hashes = new Map<number, string>();
  for (const [index, entry] of stream.events.entries()) {
    const line = readLine(platform, lines[index]?.text ?? null);
    if ('fault' in line) findings.push(finding(stream.path, line.fault, { event: eventOf(entry) }));
    else {
      const hash = await sha256Of(platform, hashedText(storedOf(line.value)));
      read.push(line.value);
      hashes.set(line.value.revision, hash);
      findings.push(...entryFindings(stream, entry, line.value, hash, `${pointer}/events/${index}`));
    }
  }
  if (findings.length > 0) return { findings, events: null };
  // Each line has the revision of its entry by now, and its hash.
  const hashOf = ({ revision }: Readonly<{ revision: number }>): string => hashes.get(revision) ?? '';
  const broken = chainBreak(read.map(storedOf), hashOf, pointer !== '/submission');
  if (!broken) return { findings, events: read.map(openedOf) };
  const { why, ...event } = broken;
  return { findings: [finding(stream.path, said('chainBreaks', { why }), { event })], events: null };
};

const readLine = (
  { checkLine }: Platform,
  text: string | null,
): Readonly<{ value: Line }> | Readonly<{ fault: Said }> => {
  if (text === null) return { fault: said('lineTooLong') };
  const line = parsed<Line>(text, checkLine);
  if ('fault' in line) return { fault: said('lineNoEvent', { why: line.fault }) };
  // The parsed value must be the hashed text: of a repeated member only one would be parsed.
  if (JSON.stringify(line.value) !== text) return { fault: said('lineRewritten') };
  const isPrivate = storedOf(line.value).data.private !== undefined;
  if (isPrivate !== (line.value.private !== null)) return { fault: said('wronglyOpened') };
  return line;
};

/** Differences between the manifest's entry of an event and its line. */
const entryFindings = (
  stream: ManifestStream,
  entry: ManifestEntry,
  line: Line,
  hash: string,
  pointer: string,
): readonly Finding[] => {
  const event = storedOf(line);
  const actual = { revision: event.revision, id: event.id, type: event.type, hash };
  const wrong = (['revision', 'id', 'type', 'hash'] as const).filter((name) => actual[name] !== entry[name]);
  const other =
    event.stream === stream.stream
      ? []
      : [
          finding(stream.path, said('otherStream', { found: event.stream.slice(0, 100) }), {
            event: eventOf(entry),
          }),
        ];
  return [
    ...other,
    ...wrong.map((name) =>
      finding(MANIFEST, said('notMember', { name, path: stream.path }), {
        pointer: `${pointer}/${name}`,
        event: eventOf(entry),
      }),
    ),
  ];
};
