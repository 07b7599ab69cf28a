import { hashedText } from '../../kernel/hashedText.ts';
import { type Line, MANIFEST, type ManifestEntry, type ManifestStream, storedOf } from '../format.ts';
import type { ReadLine } from './content.ts';
import { eventOf, type Finding, finding, said } from './findings.ts';
import { parsed } from './json.ts';
import { type Platform, sha256Of } from './platform.ts';
import type { FindingCode } from './sentences.ts';

const MAX_FINDINGS = 100;

/**
 * Entries of the manifest (at `pointer`) that are not those of a stream's lines, which are as they were
 * exported.
 */
export const manifestFindings = (
  { events, path }: ManifestStream,
  pointer: string,
  lines: readonly ReadLine[],
): readonly Finding[] => {
  if (lines.length !== events.length) {
    const values = { count: events.length, path, found: lines.length };
    return [finding(MANIFEST, said('eventCount', values), { pointer: `${pointer}/events` })];
  }
  return events.flatMap((event, index) =>
    event.line === lines[index]?.sha256
      ? []
      : [
          finding(MANIFEST, said('notLineHash', { path }), {
            pointer: `${pointer}/events/${index}/line`,
            event: eventOf(event),
          }),
        ],
  );
};

/** Which events of a stream were changed, removed, added or moved, by the hashes of lines in the manifest. */
export const lineFindings = async (
  platform: Platform,
  { path, events }: ManifestStream,
  lines: readonly ReadLine[],
): Promise<readonly Finding[]> => {
  const found =
    lines.length === events.length
      ? await inPlace(platform, path, events, lines)
      : outOfPlace(path, events, lines);
  return found.slice(0, MAX_FINDINGS);
};

/** As many lines as events: each is compared with its own. */
const inPlace = async (
  platform: Platform,
  path: string,
  events: readonly ManifestEntry[],
  lines: readonly ReadLine[],
): Promise<readonly Finding[]> => {
  const byHash = new Map(events.map((event) => [event.line, event]));
  const found: Finding[] = [];
  for (const [index, event] of events.entries()) {
    const line = lines[index];
    if (!line || line.sha256 === event.line) continue;
    const other = byHash.get(line.sha256);
    const what = other
      ? said('otherInPlace', { revision: other.revision, type: other.type })
      : await changeOf(platform, event, line);
    found.push(finding(path, what, { event: eventOf(event) }));
  }
  return found;
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
    const line = index + 1;
    const what = twice
      ? said('lineTwice', { line, revision: twice.revision, type: twice.type })
      : said('lineAdded', { line });
    return [finding(path, what)];
  });
  const missing = [...remaining.values()].map((event) =>
    finding(path, 'eventGone', { event: eventOf(event) }),
  );
  return [...missing, ...added];
};

const changeOf = async (
  platform: Platform,
  event: ManifestEntry,
  { text }: ReadLine,
): Promise<FindingCode> => {
  const line = text === null ? null : parsed<Line>(text, platform.checkLine);
  if (!line || 'fault' in line) return 'noEventInLine';
  return (await sha256Of(platform, hashedText(storedOf(line.value)))) === event.hash
    ? 'lineChanged'
    : 'storedChanged';
};
