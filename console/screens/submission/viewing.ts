import { useEffect, useRef, useState } from 'preact/hooks';
import type { SubmissionDetail } from '../../../schemas/submissions.ts';
import { texts } from '../../texts.ts';
import { usePagesOf, type Words } from './pages.ts';
import type { Read } from './read.ts';

export type File = SubmissionDetail['files'][number];

/** A page of a file; null for its whole. */
export type Spot = Readonly<{ file: File; page: number | null }>;

/** A point of the window, in pixels, and the part of a page, from its top left corner, that is there. */
export type Fixed = Readonly<{ x: number; y: number; page: Element; across: number; down: number }>;

/** As wide or as high as its place, or so many times as wide. */
export type Size = 'width' | 'height' | number;

export type View = ReturnType<typeof useView>;

const own = texts.document;
const [SMALLEST, LARGEST] = [0.25, 8];
const STEP = 1.5;

/** Which page is shown, and how; its tools. `start`: what is shown first. */
export const useView = (
  { detail: { id: submissionId, files }, fields }: Read,
  focused: string | null,
  start?: Spot,
) => {
  const [{ fileId, page, jump }, setAt] = useState({
    fileId: (start?.file ?? files[0])?.id ?? '',
    page: start?.page ?? 1,
    jump: 0,
  });
  const [size, setSize] = useState<Size>('width');
  const [turn, setTurn] = useState(0);
  const [isStrong, setStrong] = useState(false);
  /** How many times as wide as its place the page is drawn now. */
  const drawn = useRef(1);
  /** What stays where it is when the size changes; null: the value that is marked is brought into view. */
  const fixed = useRef<Fixed | null>(null);
  /** The words of the pages that were in view. */
  const words = useRef(new Map<string, Words>()).current;
  const pages = usePagesOf(submissionId, fileId);
  const count = pages.value?.pages.length ?? 1;
  const place = fields.find(({ name }) => name === focused)?.place;
  /** `jump` counts what the pages are scrolled for. */
  const show = (file: string, number: number): void =>
    setAt((before) => ({ fileId: file, page: number, jump: before.jump + 1 }));
  const scrolled = (number: number): void => setAt((before) => ({ ...before, page: number }));
  useEffect(() => {
    const isElsewhere = place && (place.fileId !== fileId || place.page !== page);
    if (isElsewhere && files.some(({ id }) => id === place.fileId)) show(place.fileId, place.page);
  }, [focused]);
  const step = (by: number): void => {
    const at = files.findIndex(({ id }) => id === fileId) + by;
    if (page + by >= 1 && page + by <= count) show(fileId, page + by);
    else if (files[at]) show(files[at].id, 1);
  };
  const zoomBy = (factor: number, point: Fixed | null = null): void => {
    fixed.current = point;
    drawn.current = Math.min(LARGEST, Math.max(SMALLEST, drawn.current * factor));
    setSize(drawn.current);
  };
  const tools = [
    { key: '[', text: own.previousPage, sign: '‹', run: () => step(-1) },
    { key: ']', text: own.nextPage, sign: '›', run: () => step(1) },
    { key: '-', text: own.smaller, sign: '−', run: () => zoomBy(1 / STEP) },
    { key: '+', text: own.larger, sign: '+', run: () => zoomBy(STEP) },
    { key: 'w', text: own.fitWidth, sign: '↔', run: () => setSize('width') },
    { key: 'h', text: own.fitHeight, sign: '↕', run: () => setSize('height') },
    { key: 't', text: own.turn, sign: '↻', run: () => setTurn((turn + 90) % 360) },
    { key: 'b', text: own.contrast, sign: '◐', run: () => setStrong(!isStrong) },
  ];
  const file = files.find(({ id }) => id === fileId);
  return {
    ...{ file, page, jump, pages, count, size, turn, isStrong, drawn, fixed, words },
    ...{ show, scrolled, zoomBy, tools },
  };
};

/** What a file is for, and its own name. */
export const nameOf = ({ fileName, label }: File): string =>
  fileName === null ? label : `${label}: ${fileName}`;
