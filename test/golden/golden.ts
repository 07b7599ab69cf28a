import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedEvent } from '../../stores/events/port.ts';

/**
 * A stored event as some version of the service wrote it; what was sealed in it, and its row of the table
 * `subjectKeys`.
 */
export type Golden = Readonly<{ stored: RecordedEvent; sealed: Sealed | null }>;
type Sealed = Readonly<{ subject: string; key: object; private: unknown }>;

// Tests run from the project's folder; the files stand beside their source.
const FOLDER = join('test', 'golden', 'events');
// As sha256sum writes and checks it: a golden event is for ever.
const DIGESTS = join('test', 'golden', 'events.sha256');

/**
 * Every golden event, by its file's name: `<type>.v<schema>`, and `<type>.v<schema>.<member>` for one with a
 * member that came later.
 */
export const goldenEvents = (): ReadonlyMap<string, Golden> => {
  if (!existsSync(FOLDER)) return new Map();
  const names = readdirSync(FOLDER).sort();
  return new Map(names.map((name) => [name.replace(/\.json$/, ''), read(join(FOLDER, name))]));
};

/** Keeps a new golden event; fails when there is one of that name. */
export const addGolden = (name: string, golden: Golden): void => {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(golden, null, 2)}\n`, { flag: 'wx' });
  appendFileSync(DIGESTS, `${digestOf(name)}  events/${name}.json\n`);
};

/** The SHA-256 (hex) of a golden event's file as it is. */
export const digestOf = (name: string): string =>
  createHash('sha256')
    .update(readFileSync(join(FOLDER, `${name}.json`)))
    .digest('hex');

/** The SHA-256 of each golden event's file as it was added. */
export const goldenDigests = (): ReadonlyMap<string, string> =>
  new Map(
    [...readFileSync(DIGESTS, 'utf8').matchAll(/^([0-9a-f]{64}) {2}events\/(.+)\.json$/gm)].map(
      ([, digest = '', name = '']) => [name, digest],
    ),
  );

const read = (path: string): Golden => JSON.parse(readFileSync(path, 'utf8')) as Golden;
