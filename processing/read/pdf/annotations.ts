import type { Box } from '../../../domain/submission/processingResult.ts';
import { asShown } from '../../characters.ts';
import { atMost, type Word, wordsOf } from '../../page.ts';
import { type Affine, boundsOf } from '../../picture/affine.ts';

/** A note or a field of a form, as PDF.js gives it. */
type Annotation = Readonly<{
  subtype: string;
  rect: readonly number[];
  annotationFlags: number;
  hasAppearance: boolean;
  fieldType?: string;
  fieldValue?: unknown;
  password?: boolean;
  checkBox?: boolean;
  exportValue?: string;
  contentsObj?: Readonly<{ str: string }>;
  /** The lines of what is drawn for it, where it has that. */
  textContent?: readonly string[];
}>;

/** Flags of annotations: hidden, and not to be viewed. */
const UNSEEN = 2 | 32;

/**
 * What notes (FreeText) and the fields of a form show on a page, which is not among its text; `isDrawn` tells
 * whether anything is to be seen at a place.
 */
export const wordsOfAnnotations = (
  annotations: readonly Annotation[],
  toPage: Affine,
  isDrawn: (box: Box) => boolean,
): readonly Word[] =>
  annotations.flatMap((one) => {
    if ((one.annotationFlags & UNSEEN) !== 0) return [];
    const stated = shownIn(one);
    const drawn = one.fieldType === 'Btn' || one.password ? '' : (one.textContent ?? []).join('\n');
    // What is drawn may be of an earlier value.
    const isOther = drawn.trim() !== '' && !lettersOf(drawn).includes(lettersOf(stated));
    const lines = (isOther ? drawn : stated).split(/\r\n|[\n\r]/);
    const [left = 0, bottom = 0, right = 0, top = 0] = one.rect;
    const box = boundsOf(toPage, { left, right, top: Math.min(bottom, top), bottom: Math.max(bottom, top) });
    // Viewers draw what has no appearance of its own.
    if (one.hasAppearance && LETTERS.test(stated + drawn) && !isDrawn(box)) return [];
    const height = (box.bottom - box.top) / lines.length;
    return lines.flatMap((line, index) => {
      const own = { ...box, top: box.top + index * height, bottom: box.top + (index + 1) * height };
      const words = wordsOf(asShown(line), own);
      return isOther ? words.map((word) => atMost(STALE, word)) : words;
    });
  });

const STALE = 0.4;
const LETTERS = /[\p{L}\p{N}]/u;

const lettersOf = (text: string): string =>
  asShown(text)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const shownIn = ({
  subtype,
  fieldType,
  fieldValue,
  password,
  checkBox,
  exportValue,
  contentsObj,
}: Annotation) => {
  if (subtype === 'FreeText') return contentsObj?.str ?? '';
  if (subtype !== 'Widget' || password) return '';
  if (fieldType === 'Btn') return checkBox ? (fieldValue === exportValue ? '☑' : '☐') : '';
  const values: readonly unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values.filter((value) => typeof value === 'string').join('\n');
};

/** Whether something is painted for an annotation, which may lie over text, or over its own. */
export const isPainted = ({ subtype, hasAppearance }: Annotation): boolean =>
  hasAppearance && subtype !== 'Link' && subtype !== 'Popup';
