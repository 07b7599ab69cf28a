/**
 * Something in a package that is not what was exported. `file`: in which file, or at the file itself; `event`: at which event; `pointer`: at which
 * field of a document (a JSON Pointer); `manifest`: which field of the manifest says otherwise, when one does.
 */
export type Finding = Readonly<{
  file: string;
  event: Readonly<{ revision: number; id: string; type: string }> | null;
  pointer: string | null;
  manifest: string | null;
  detail: string;
}>;

/** A finding of a file as a whole, unless more is told. */
export const finding = (file: string, detail: string, more: Partial<Finding> = {}): Finding => ({
  file,
  event: null,
  pointer: null,
  manifest: null,
  detail,
  ...more,
});

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
