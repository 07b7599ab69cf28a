import { pick } from '../../kernel/pick.ts';
import { NoPackage, Unreadable } from '../package/source.ts';
import type { FindingCode, Said } from './sentences.ts';

/**
 * Where a package differs from what was exported: the file, and in it the event, or the field of a document
 * (`pointer`, a JSON Pointer). `manifest`: the field of the manifest that contradicts it.
 */
export type Place = Readonly<{
  file: string;
  event: Readonly<{ revision: number; id: string; type: string }> | null;
  pointer: string | null;
  manifest: string | null;
}>;

/** A difference between a package and what was exported. */
export type Finding = Place & Readonly<{ said: Said }>;

/** What was found, by its code and what its sentence names. */
export const said = (code: FindingCode, values: Said['values'] = {}): Said => ({ code, values });

/** A finding of a file as a whole, unless `more` gives the place in it. */
export const finding = (file: string, what: Said | FindingCode, more: Partial<Place> = {}): Finding => ({
  file,
  event: null,
  pointer: null,
  manifest: null,
  ...more,
  said: typeof what === 'string' ? said(what) : what,
});

/**
 * Why a file can't be read. Throws what is no fault of the package: too little memory, or a file that has
 * gone.
 */
export const unreadable = (error: unknown): Said => {
  if (error instanceof NoPackage || error instanceof DOMException) throw error;
  return said('unreadable', { why: error instanceof Unreadable ? error.said : (error as Error).message });
};

/** An event as findings name it. */
export const eventOf = (event: NonNullable<Finding['event']>): Finding['event'] =>
  pick(event, 'revision', 'id', 'type');
