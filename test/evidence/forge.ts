import { sha256 } from '../../evidence/digest.ts';
import { documentText, MANIFEST, type Manifest, SIGNATURE } from '../../evidence/format.ts';
import type { Files } from './changes.ts';
import { key } from './stage.ts';

/** The manifest of a package. */
export const manifestOf = (files: Files): Manifest => JSON.parse(String(files.get(MANIFEST)));

/**
 * A package whose manifest names the files as they are now, changed and signed anew by whoever has this key.
 */
export const signedAnew = (files: Files, change = (given: Manifest): Manifest => given, by = key): Files => {
  const given = change(manifestOf(files));
  const named = given.files.map(({ path }) => {
    const bytes = files.get(path) ?? Buffer.alloc(0);
    return { path, size: bytes.length, sha256: sha256(bytes) };
  });
  const text = documentText({ ...given, files: named });
  const signature = `${by.sign(Buffer.from(text)).toString('base64')}\n`;
  return new Map([...files, [MANIFEST, Buffer.from(text)], [SIGNATURE, Buffer.from(signature)]]);
};
