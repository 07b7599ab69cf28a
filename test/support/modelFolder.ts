import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelFiles } from '../../processing/read/ocr/modelFiles.ts';

/** Fills a folder with the shipped models as an operator would, the dictionary changed by `change`. */
export const makeModels = (folder: string, change = (dictionary: string) => dictionary): void => {
  const { detection, transcription, dictionary } = modelFiles(null);
  const contents = {
    'detection.onnx': readFileSync(detection),
    'recognition.onnx': readFileSync(transcription),
    'dictionary.txt': Buffer.from(change(readFileSync(dictionary, 'utf8'))),
  };
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
  const sums = Object.entries(contents).map(
    ([name, content]) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`,
  );
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
};

/** The dictionary of models that read each of two characters as the other one. */
export const swapped =
  (one: string, other: string) =>
  (dictionary: string): string =>
    dictionary
      .split('\n')
      .map((character) => (character === one ? other : character === other ? one : character))
      .join('\n');
