import type { Draft, Rule } from './rule.ts';
import { bare, COUNT, countOf, itemsOf } from './words.ts';

type Upload = Draft['upload'];

const NOUN = '(?:files?|photos?|photographs?|pictures?|images?|pages?|scans?|documents?|pdfs?|uploads?)';
const HAS_NOUN = new RegExp(`\\b${NOUN}\\b`, 'i');

const PICTURES = ['image/jpeg', 'image/png'];
const FORMATS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bpdfs?\b/i, ['application/pdf']],
  [/\bjpe?gs?\b/i, ['image/jpeg']],
  [/\bpngs?\b/i, ['image/png']],
  [/\bwebp\b/i, ['image/webp']],
  [/\btiffs?\b/i, ['image/tiff']],
  [/\b(?:photos?|photographs?|pictures?|images?|scans?)\b/i, PICTURES],
  [/\b(?:txt|plain text|text files?)\b/i, ['text/plain']],
  [/\bjson\b/i, ['application/json']],
];

/** "PDFs or photos", "also accept png", "no longer accept pdf". */
export const acceptFormats: Rule = (clause, draft, { fresh }) => {
  const named = [...new Set(FORMATS.flatMap(([pattern, types]) => (pattern.test(clause) ? types : [])))];
  const { acceptedFormats } = draft.upload;
  if (
    named.length === 0 ||
    (!fresh && !/\b(?:accept|allow|takes?|formats?|only|files?|uploads?)\b/i.test(clause))
  )
    return null;
  if (/\b(?:no longer|stop|don't|do not|not|except|without|remove|no)\b/i.test(clause)) {
    const kept = acceptedFormats.filter((format) => !named.includes(format));
    return kept.length === 0 ? null : withUpload(draft, { acceptedFormats: kept });
  }
  const adds = /\b(?:also|too|as well|add)\b/i.test(clause) || fresh;
  return withUpload(draft, { acceptedFormats: [...new Set([...(adds ? acceptedFormats : []), ...named])] });
};

/** "Up to three photos", "between 1 and 3 files", "exactly two scans", "at least one page", "max files 5". */
export const countFiles: Rule = (clause, draft) => {
  const bounds = boundsIn(clause, draft.upload);
  if (bounds === null) return null;
  const { minFiles, maxFiles } = bounds;
  if (maxFiles < 1 || maxFiles > 100 || minFiles > maxFiles) return null;
  const fileLabels = draft.upload.fileLabels.slice(0, maxFiles);
  return withUpload(draft, { minFiles, maxFiles, fileLabels });
};

type Bounds = Pick<Upload, 'minFiles' | 'maxFiles'>;

const boundsIn = (clause: string, { minFiles, maxFiles }: Upload): Bounds | null => {
  const found = (pattern: string): readonly number[] | null => {
    const match = new RegExp(pattern, 'i').exec(clause);
    return match?.slice(1).map(countOf) ?? null;
  };
  const between = found(`\\b(${COUNT})\\s*(?:to|and|-|–)\\s*(${COUNT})\\s+${NOUN}`);
  if (between) return { minFiles: between[0] ?? 1, maxFiles: between[1] ?? 1 };
  const most =
    found(`\\b(?:up to|at most|no more than|maximum(?: of)?|max)\\s+(${COUNT})\\s+${NOUN}`) ??
    found(`\\b(?:max(?:imum)?|most)\\s*${NOUN}\\s*(?:to|is|of|:|=)?\\s*(${COUNT})\\b`) ??
    found(`\\blimit\\b.*\\b(${COUNT})\\s+${NOUN}`);
  if (most) return { minFiles: Math.min(minFiles, most[0] ?? 1), maxFiles: most[0] ?? 1 };
  const least = found(`\\b(?:at least|minimum(?: of)?|min)\\s+(${COUNT})\\s+${NOUN}`);
  if (least) return { minFiles: least[0] ?? 1, maxFiles: Math.max(maxFiles, least[0] ?? 1) };
  const exact = found(`\\b(?:exactly\\s+)?(${COUNT})\\s+(?:[a-z]+\\s+)?${NOUN}\\b`);
  return exact && { minFiles: exact[0] ?? 1, maxFiles: exact[0] ?? 1 };
};

/** "10 MB each", "files up to 500 KB". */
export const sizeFiles: Rule = (clause, draft) => {
  const [, amount, unit = ''] =
    /\b(\d{1,6}(?:\.\d+)?)\s*(kb|kib|mb|mib|megabytes?|gb|gib)\b/i.exec(clause) ?? [];
  if (amount === undefined) return null;
  const factor = /^k/i.test(unit) ? 1 / 1024 : /^g/i.test(unit) ? 1024 : 1;
  const maxFileSizeMb = Number(amount) * factor;
  return maxFileSizeMb > 0 && maxFileSizeMb <= 5120 ? withUpload(draft, { maxFileSizeMb }) : null;
};

/** "Two photos (front and back)", "files labelled contract and annex". */
export const labelFiles: Rule = (clause, draft) => {
  if (!HAS_NOUN.test(clause)) return null;
  const list =
    new RegExp(`\\b${NOUN}\\s*\\(([^)]+)\\)`, 'i').exec(clause)?.[1] ??
    /\blabell?ed\s*:?\s*(.+)$/i.exec(clause)?.[1] ??
    /\b(front and back)\b/i.exec(clause)?.[1];
  if (list === undefined || /\b(?:mb|kb|gb|each|pdf|png|jpe?g)\b/i.test(list)) return null;
  const fileLabels = [...new Set(itemsOf(list).map((label) => bare(label).slice(0, 128)))].filter(Boolean);
  if (fileLabels.length === 0 || fileLabels.length > 100) return null;
  return withUpload(draft, { fileLabels, maxFiles: Math.max(draft.upload.maxFiles, fileLabels.length) });
};

const withUpload = (draft: Draft, change: Partial<Upload>): Draft => ({
  ...draft,
  upload: { ...draft.upload, ...change },
});
