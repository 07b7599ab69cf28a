import * as assert from 'uvu/assert';
import { fraudChecks, type ListedCheck } from '../../../domain/fraud/checks.ts';
import type { FingerprintedPage, SimilarPages, VisualFingerprint } from '../../../domain/fraud/pages.ts';
import type { Position } from '../../../kernel/event.ts';
import {
  candidatesFor,
  findSimilar,
  MAX_CANDIDATES,
  MAX_COMPARED,
} from '../../../processing/fraud/findSimilar.ts';
import type { FraudEntry } from '../../../projections/fraudIndex.ts';
import type { EventLog } from '../../../stores/events/log.ts';
import { suite } from '../../harness.ts';

const test = suite('finding near duplicates');

const at = (n: number) => String(n).padStart(4, '0') as Position;
const hashOf = (text: string): string => `hidden ${text}`;
const hide = (_check: unknown, text: string): string => hashOf(text);
const check = fraudChecks.find(({ match }) => match.by === 'pages') as ListedCheck;
const printOf = (label: string, page = 1): VisualFingerprint => ({
  ...{ fileId: `fil_${label}`, label, page },
  ...{ width: 1, height: 1, strokes: '', words: [] },
});
const pageWith = (texts: readonly string[], near: readonly string[] = [], page = 1): FingerprintedPage => ({
  visual: printOf('own', page),
  keys: texts.map((text, n) => ({ text, near: n === 0 ? near : [] })),
});

/**
 * An index that has these submissions (numbers, the latest is the nearest) under these texts, and tells what
 * it was asked.
 */
const indexOf = (entries: Readonly<Record<string, readonly number[]>>) => {
  const asked: { value: string; limit: number }[] = [];
  const nearest = async (value: string, _before: Position, limit: number): Promise<readonly FraudEntry[]> => {
    asked.push({ value, limit });
    return (entries[value.replace(/^hidden /, '')] ?? []).slice(0, limit).map((n) => ({
      ...{ id: `sub_${n} ${value}`, value, position: at(n), submissionId: `sub_${n}`, files: [] },
    }));
  };
  return { asked, index: { nearest, before: async () => ({ earlier: [], count: 0 }) } };
};
const rankedBy = async (
  entries: Parameters<typeof indexOf>[0],
  pages: readonly FingerprintedPage[],
): Promise<readonly string[]> => {
  const { index } = indexOf(entries);
  return (await candidatesFor({ index }, hashOf, pages, at(9_999))).map(({ submissionId }) => submissionId);
};
const upTo = (count: number) => Array.from({ length: count }, (_, n) => count - n);

test('what shares the rarest keys, and most of them, comes first; of equals the nearest', async () => {
  const entries = { rare: [1], common: [9, 8, 7, 2], second: [3, 2] };
  assert.equal(await rankedBy(entries, [pageWith(['common', 'rare', 'second'])]), [
    ...['sub_1', 'sub_2', 'sub_3'],
    ...['sub_9', 'sub_8', 'sub_7'],
  ]);
});

test('a key that more entries share than are read weighs next to nothing', async () => {
  const crowd = upTo(2_000);
  const ranked = await rankedBy({ crowd, some: [1, 2, 3, 4, 5] }, [pageWith(['crowd', 'some'])]);
  assert.equal(ranked.slice(0, 5).sort(), ['sub_1', 'sub_2', 'sub_3', 'sub_4', 'sub_5']);
});

test('a submission counts once a key, however many of its pages have it', () =>
  rankedBy({ twice: [1, 1], once: [2] }, [pageWith(['twice', 'once'])]).then((ranked) =>
    assert.equal(ranked, ['sub_2', 'sub_1']),
  ));

test('a hundred look-ups and a thousand entries at most: in turns over the pages their keys, then what they are near to, in turns', async () => {
  const many = Array.from({ length: 90 }, (_, n) => `near ${n}`);
  const pages = [
    pageWith(['a', 'b'], many),
    pageWith(
      ['c'],
      many.map((text) => `other ${text}`),
      2,
    ),
  ];
  const crowd = upTo(2_000);
  const texts = ['a', 'b', 'c', ...pages.flatMap(({ keys }) => keys.flatMap(({ near }) => near))];
  const { asked, index } = indexOf(Object.fromEntries(texts.map((text) => [text, crowd])));
  await candidatesFor({ index }, hashOf, pages, at(9_999));
  assert.is(asked.length, 100);
  assert.equal(
    asked.slice(0, 6).map(({ value }) => value),
    ['a', 'c', 'b', 'near 0', 'other near 0', 'near 1'].map((text) => `hidden ${text}`),
  );
  const entries = asked.reduce((sum, { limit }) => sum + limit, 0);
  assert.ok(entries <= MAX_CANDIDATES && entries > 0.9 * MAX_CANDIDATES, `${entries} entries`);
});

test('of many pages each is looked up by as many keys, and by some of what these are near to', async () => {
  const keysOf = (page: number) =>
    Array.from({ length: 16 }, (_, n) => ({ text: `${page} own ${n}`, near: [`${page} near ${n}`] }));
  const pages = upTo(8).map((page) => ({ visual: printOf('own', page), keys: keysOf(page) }));
  const { asked, index } = indexOf({});
  await candidatesFor({ index }, hashOf, pages, at(9_999));
  assert.is(asked.length, 100);
  for (const page of upTo(8)) {
    const own = asked.filter(({ value }) => value.startsWith(`hidden ${page} own`)).length;
    const near = asked.filter(({ value }) => value.startsWith(`hidden ${page} near`)).length;
    assert.ok(own >= 8 && near >= 3, `page ${page}: ${own} and ${near}`);
  }
});

test('a key that several pages have is looked up once', async () => {
  const { asked, index } = indexOf({});
  await candidatesFor({ index }, hashOf, [pageWith(['a']), pageWith(['a'], [], 2)], at(1));
  assert.is(asked.length, 1);
});

/** What a submission's pages are compared by, `redacted` once its private parts are closed for ever. */
type Kept = readonly VisualFingerprint[] | 'redacted';

/** Looks among these submissions: all that are compared are alike in their first pages. */
const found = async (
  kept: Readonly<Record<string, Kept>>,
  pages: readonly FingerprintedPage[],
  skipped = 0,
) => {
  const numbers = Object.keys(kept).map((id) => Number(id.replace('sub_', '')));
  const { index } = indexOf({ key: numbers });
  const load = async (stream: string) => {
    const own = kept[`sub_${stream.replace('submission-', '')}`] ?? [];
    const hidden = own === 'redacted' ? { redacted: true } : { prints: own };
    return { events: [{ type: 'SubmissionFingerprinted', data: { private: hidden } }], head: null };
  };
  const compared: (readonly VisualFingerprint[])[] = [];
  const compare = async (
    prints: readonly VisualFingerprint[],
    others: readonly (readonly VisualFingerprint[])[],
  ) => {
    compared.push(...others);
    const similar = others.map((other) =>
      prints.flatMap((one, n) => (other[n] ? [{ label: one.label } as SimilarPages] : [])),
    );
    return { similar, skipped };
  };
  const told: number[] = [];
  const onSkipped = (pairs: number): void => void told.push(pairs);
  const ports = {
    index,
    log: { load } as unknown as Pick<EventLog, 'load'>,
    processor: { compare },
    onSkipped,
  };
  const near = await findSimilar(ports, check, hide, pages, at(9_999), new AbortController().signal);
  return { compared, near, told };
};

test('only the likeliest are compared', async () => {
  const kept = Object.fromEntries(upTo(50).map((n) => [`sub_${n}`, [printOf('other')]]));
  const { compared, near } = await found(kept, [pageWith(['key'])]);
  assert.is(compared.length, MAX_COMPARED);
  assert.is(near.length, MAX_COMPARED);
});

test('one whose private parts are closed for ever is no match, and spoils no other', async () => {
  const { near } = await found({ sub_2: 'redacted', sub_1: [printOf('other')] }, [pageWith(['key'])]);
  assert.equal(
    near.map(({ submissionId }) => submissionId),
    ['sub_1'],
  );
  const alone = await found({ sub_2: 'redacted' }, [pageWith(['key'])]);
  assert.equal(alone, { compared: [], near: [], told: [] }, 'there is nothing to compare');
});

test('all pages of a submission are compared, and all similar ones are reported', async () => {
  const pages = [pageWith(['key']), pageWith(['key'], [], 2)];
  const { near } = await found({ sub_1: [printOf('other'), printOf('other', 2)] }, pages);
  assert.is(near[0]?.pages.length, 2);
});

test('pairs beyond the budget are reported, and matches that were found stay', async () => {
  const { near, told } = await found({ sub_1: [printOf('other')] }, [pageWith(['key'])], 3);
  assert.equal([near.length, told], [1, [3]]);
});

test('without pictures nothing is looked up', async () => {
  const { index, asked } = indexOf({});
  const ports = { index, log: { load: unused }, processor: { compare: unused }, onSkipped: () => undefined };
  assert.equal(await findSimilar(ports, check, hide, [], at(1), new AbortController().signal), []);
  assert.equal(asked, []);
});
const unused = () => Promise.reject(new Error('nothing to look at'));
