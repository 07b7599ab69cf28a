import { compile } from '../../schemas/ajv.ts';
import { hashOf } from '../../stores/events/hash.ts';
import { Line, type ManifestEntry, type ManifestStream } from '../format.ts';
import { storedOf } from '../lines.ts';
import type { ReadLine } from './content.ts';
import { eventOf, type Finding, finding } from './findings.ts';
import { parsed } from './json.ts';

export const checkLine = compile(Line);
const MAX_FINDINGS = 100;

/** Which events of a stream were changed, removed, added or moved, by the hashes of lines in the manifest. */
export const lineFindings = (
  { path, events }: ManifestStream,
  lines: readonly ReadLine[],
): readonly Finding[] => {
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
