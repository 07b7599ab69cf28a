import { existsSync, readFileSync } from 'node:fs';

/** A part of a guide, from one heading to the next: what a search finds. */
export type Section = Readonly<{ id: string; title: string; text: string }>;

/** A page of docs/ as it is served: `html` is its content. */
export type Guide = Readonly<{ name: string; title: string; html: string; sections: readonly Section[] }>;

/** Guides for one purpose. */
export type Shelf = Readonly<{ purpose: string; guides: readonly Guide[] }>;

/** The guides in the file that `npm run build` makes of docs/; none where it was not made. */
export const readShelves = (file: string): readonly Shelf[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Shelf[]) : [];
