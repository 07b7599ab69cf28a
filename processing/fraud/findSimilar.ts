import type { ListedCheck } from '../../domain/fraud/checks.ts';
import type { FoundByPages } from '../../domain/fraud/matches.ts';
import type { FingerprintedPage, VisualFingerprint } from '../../domain/fraud/pages.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import type { EventOf, Position } from '../../kernel/event.ts';
import { interleave } from '../../kernel/interleave.ts';
import type { FraudPorts, Hide } from './checkFraud.ts';

/** Entries of the index that a check reads, over all look-ups together, and how many of them by near keys. */
export const MAX_CANDIDATES = 1_000;
const MAX_NEAR = 300;
/** Look-ups: the pages' own keys, then near ones, the likeliest first. */
const MAX_LOOKUPS = 100;
const MAX_OWN_LOOKUPS = 70;
/** Candidates that are compared: those that most and the rarest look-ups have found. */
export const MAX_COMPARED = 16;

type Candidate = Readonly<{ submissionId: string; position: Position; weight: number }>;

/**
 * The earlier submissions with pages similar to these: looked up in the index by equal keys, the likeliest of
 * them compared page by page. The cost is bounded, however many submissions there are.
 */
export const findSimilar = async (
  ports: Pick<FraudPorts, 'index' | 'log' | 'processor' | 'onSkipped'>,
  check: ListedCheck,
  hide: Hide,
  pages: readonly FingerprintedPage[],
  before: Position,
  signal: AbortSignal,
): Promise<readonly FoundByPages[]> => {
  if (pages.length === 0) return [];
  const candidates = await candidatesFor(ports, (text) => hide(check, text), pages, before);
  const compared = candidates.slice(0, MAX_COMPARED);
  const prints = await Promise.all(compared.map(({ submissionId }) => printsOf(ports, submissionId)));
  if (prints.every((one) => one.length === 0)) return [];
  const own = pages.map(({ visual }) => visual);
  const { similar, skipped } = await ports.processor.compare(own, prints, signal);
  if (skipped > 0) ports.onSkipped(skipped);
  return compared.flatMap(({ submissionId, position }, n) => {
    const found = similar[n] ?? [];
    return found.length > 0 ? [{ check, submissionId, position, pages: found }] : [];
  });
};

/** The submissions that look-ups in the index find, the likeliest first. */
export const candidatesFor = async (
  { index }: Pick<FraudPorts, 'index'>,
  hashOf: (text: string) => string,
  pages: readonly FingerprintedPage[],
  before: Position,
): Promise<readonly Candidate[]> => {
  const lookups = lookupsFor(pages);
  const found = await Promise.all(
    lookups.map(({ text, limit }) => index.nearest(hashOf(text), before, limit)),
  );
  const candidates = new Map<string, Candidate>();
  for (const [n, entries] of found.entries()) {
    // A value that many share is a template's, and says little.
    const weight = entries.length === lookups[n]?.limit ? 1 / MAX_CANDIDATES : 1 / entries.length;
    const positions = new Map(entries.map(({ submissionId, position }) => [submissionId, position]));
    for (const [submissionId, position] of positions) {
      const sum = weight + (candidates.get(submissionId)?.weight ?? 0);
      candidates.set(submissionId, { submissionId, position, weight: sum });
    }
  }
  return [...candidates.values()].sort(
    (one, other) => other.weight - one.weight || (one.position > other.position ? -1 : 1),
  );
};

/**
 * The keys to look up, and how many entries of each: in turns over the pages their own keys, then in turns
 * over pages and keys the near ones. More entries of own keys: a pair of numbers that dozens share is still
 * rare among a million.
 */
const lookupsFor = (pages: readonly FingerprintedPage[]) => {
  const keys = interleave(pages.map((page) => page.keys));
  const own = [...new Set(keys.map(({ text }) => text))].slice(0, MAX_OWN_LOOKUPS);
  const others = interleave(keys.map((key) => key.near)).filter((text) => !own.includes(text));
  const near = [...new Set(others)].slice(0, MAX_LOOKUPS - own.length);
  const sharing = (texts: readonly string[], entries: number) =>
    texts.map((text) => ({ text, limit: Math.floor(entries / texts.length) }));
  return [...sharing(own, MAX_CANDIDATES - MAX_NEAR), ...sharing(near, MAX_NEAR)];
};

/** A submission's visual fingerprints; none where the key of its private data was destroyed. */
const printsOf = async (
  { log }: Pick<FraudPorts, 'log'>,
  submissionId: string,
): Promise<readonly VisualFingerprint[]> => {
  const { events } = await log.load(submissionStream(submissionId));
  const last = events.findLast(({ type }) => type === 'SubmissionFingerprinted');
  const data = last?.data as EventOf<SubmissionEvent, 'SubmissionFingerprinted'>['data'] | undefined;
  return data?.private && !('redacted' in data.private) ? data.private.prints : [];
};
