import { pick } from '../../kernel/pick.ts';
import { NoPackage } from '../package/source.ts';

/**
 * A difference between a package and what was exported: the file, and in it the event, or the field of a
 * document (`pointer`, a JSON Pointer). `manifest`: the field of the manifest that contradicts it.
 */
export type Finding = Readonly<{
  file: string;
  event: Readonly<{ revision: number; id: string; type: string }> | null;
  pointer: string | null;
  manifest: string | null;
  detail: string;
}>;

/** A finding of a file as a whole, unless `more` gives the place in it. */
export const finding = (file: string, detail: string, more: Partial<Finding> = {}): Finding => ({
  file,
  event: null,
  pointer: null,
  manifest: null,
  detail,
  ...more,
});

/**
 * Why a file can't be read. Throws what is no fault of the package: too little memory, or a file that has
 * gone.
 */
export const unreadable = (error: unknown): string => {
  if (error instanceof NoPackage || error instanceof DOMException) throw error;
  return `can’t be read: ${(error as Error).message}`;
};

/** An event as findings name it. */
export const eventOf = (event: NonNullable<Finding['event']>): Finding['event'] =>
  pick(event, 'revision', 'id', 'type');

/** A finding on one line, for people. */
export const findingText = ({ file, event, pointer, manifest, detail }: Finding): string => {
  const place = [
    file,
    event && `event ${event.revision} (${event.type}, ${event.id})`,
    pointer,
    manifest && `manifest.json ${manifest}`,
  ];
  return `${place.filter((part) => part !== null && part !== '').join(', ')}: ${detail}`;
};
