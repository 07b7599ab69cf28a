import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { CommandFailed } from '../failure.ts';
import { writePrivate } from '../privateFile.ts';
import type { Place } from './listenFeed.ts';

/** Who listens: what makes another of these starts anew. `secret` stands for the key. */
export type Listener = Readonly<{
  url: string;
  secret: string;
  types: readonly string[];
  forwardTo: string;
}>;

/** The file that holds the place of a listener, in the user's folder of states; its name tells nothing. */
export const placeFile = ({ url, secret, types, forwardTo }: Listener): string => {
  const name = createHash('sha256').update(JSON.stringify([url, secret, types.toSorted(), forwardTo]));
  return join(folder(), `listen-${name.digest('hex').slice(0, 16)}.json`);
};

/**
 * The place that a listener has kept; null for none. Throws `CommandFailed` for a file that holds something
 * else.
 */
export const readPlace = (listener: Listener): Place | null => {
  const path = placeFile(listener);
  if (!existsSync(path)) return null;
  const place = placeIn(readFileSync(path, 'utf8'));
  if (place !== null) return place;
  throw new CommandFailed(
    'place-damaged',
    `${path} holds no place in the feed.`,
    'Say where to start, with --since or --from-start; that replaces it.',
  );
};

/** Keeps the place of a listener, whole or not at all. */
export const writePlace = (listener: Listener, { cursor, events }: Place): void =>
  writePrivate(placeFile(listener), `${JSON.stringify({ cursor, events })}\n`);

const folder = (): string => {
  const { LOCALAPPDATA, XDG_STATE_HOME = '' } = process.env;
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'intake');
  // The XDG specification has a relative path ignored.
  return join(isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), '.local', 'state'), 'intake');
};

const placeIn = (text: string): Place | null => {
  try {
    const { cursor, events } = JSON.parse(text) as Partial<Place>;
    return typeof cursor === 'string' && Number.isInteger(events) ? { cursor, events: Number(events) } : null;
  } catch {
    return null;
  }
};
