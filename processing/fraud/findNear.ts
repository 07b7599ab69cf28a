import type { SubmissionFingerprinted } from '../../domain/submission/events.ts';
import type { Near } from '../../domain/submission/matches.ts';
import type { PageLikeness, Print } from '../../domain/submission/prints.ts';
import { submissionStream } from '../../domain/submission.ts';
import type { Position } from '../../kernel/event.ts';
import type { FraudEntry } from '../../projections/fraudIndex.ts';
import type { FraudPorts, Hide } from './checkFraud.ts';

/** How many submissions a check looks at in the index, over all look-ups together. */
export const MOST_CANDIDATES = 1_000;
/** How many of them by what keys are near to. */
const MOST_OF_NEAR = 300;
/** How many look-ups there are: what the pages are found by, and then what their keys are near to, the likeliest first. */
const MOST_LOOKUPS = 100;
const MOST_OF_OWN = 70;
/** How many of the candidates are compared: those that most and the rarest look-ups have found. */
export const MOST_COMPARED = 16;

type Candidate = Readonly<{ submissionId: string; position: Position; weight: number }>;

/**
 * The submissions that came first and have pages alike to these: looked up in the index by equal keys, the likeliest of them compared page by page. Its cost has
 * a limit, however many submissions there are.
 */
export const findNear = async (
  ports: Pick<FraudPorts, 'index' | 'log' | 'processor' | 'onLeft'>,
  hide: Hide,
  pages: readonly PageLikeness[],
  position: Position,
  signal: AbortSignal,
): Promise<readonly Near[]> => {
  if (pages.length === 0) return [];
  const candidates = await candidatesFor(ports, hide, pages, position);
  const compared = candidates.slice(0, MOST_COMPARED);
  const prints = await Promise.all(compared.map(({ submissionId }) => printsOf(ports, submissionId)));
  if (prints.every((own) => own.length === 0)) return [];
  const own = pages.map(({ print }) => print);
  const { alike, left } = await ports.processor.compare(own, prints, signal);
  if (left > 0) ports.onLeft(left);
  return compared.flatMap(({ submissionId, position: place }, n) => {
    const found = alike[n] ?? [];
    return found.length > 0 ? [{ submissionId, position: place, pages: found }] : [];
  });
};

/** The submissions that look-ups in the index find, the likeliest first: 1,000 entries are looked at in all. */
export const candidatesFor = async (
  { index }: Pick<FraudPorts, 'index'>,
  hide: Hide,
  pages: readonly PageLikeness[],
  position: Position,
): Promise<readonly Candidate[]> => {
  const lookups = lookupsFor(pages);
  const found = await Promise.all(
    lookups.map(async ({ text, limit }) => {
      const entries = await index.nearest(hide('near_duplicate_image', text), position, limit);
      return { entries, isFull: entries.length === limit };
    }),
  );
  const weights = new Map<string, Candidate>();
  for (const { entries, isFull } of found) {
    // A value that many share tells little: it is a template's.
    const weight = isFull ? 1 / MOST_CANDIDATES : 1 / entries.length;
    for (const { submissionId, position: place } of new Map(entries.map(bySubmission)).values()) {
      const before = weights.get(submissionId)?.weight ?? 0;
      weights.set(submissionId, { submissionId, position: place, weight: before + weight });
    }
  }
  return [...weights.values()].sort(
    (one, other) => other.weight - one.weight || (one.position > other.position ? -1 : 1),
  );
};

const bySubmission = (entry: FraudEntry) => [entry.submissionId, entry] as const;

type Lookup = Readonly<{ text: string; limit: number }>;

/**
 * What is looked for, and how many entries of it: in turns over the pages their keys, then in turns over pages and keys what these are near to. More of the
 * keys themselves: a pair of numbers that dozens share is still rare among a million.
 */
const lookupsFor = (pages: readonly PageLikeness[]): readonly Lookup[] => {
  const keys = inTurns(pages.map((page) => page.keys));
  const own = [...new Set(keys.map(({ text }) => text))].slice(0, MOST_OF_OWN);
  const turns = inTurns(keys.map((key) => key.near));
  const near = [...new Set(turns.filter((text) => !own.includes(text)))].slice(0, MOST_LOOKUPS - own.length);
  const forOwn = MOST_CANDIDATES - MOST_OF_NEAR;
  return [
    ...own.map((text) => ({ text, limit: Math.floor(forOwn / own.length) })),
    ...near.map((text) => ({ text, limit: Math.floor(MOST_OF_NEAR / near.length) })),
  ];
};

/** The first of each list, then the second of each. */
const inTurns = <T>(lists: readonly (readonly T[])[]): readonly T[] =>
  Array.from({ length: Math.max(0, ...lists.map((list) => list.length)) }, (_, n) =>
    lists.flatMap((list) => list.slice(n, n + 1)),
  ).flat();

/** What a submission's pages are compared by; none where its private parts were closed for ever. */
const printsOf = async (
  { log }: Pick<FraudPorts, 'log'>,
  submissionId: string,
): Promise<readonly Print[]> => {
  const { events } = await log.load(submissionStream(submissionId));
  const last = events.findLast(({ type }) => type === 'SubmissionFingerprinted');
  const hidden = (last?.data as SubmissionFingerprinted['data'] | undefined)?.private;
  return hidden && !('redacted' in hidden) ? hidden.prints : [];
};
