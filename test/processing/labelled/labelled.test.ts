import * as assert from 'uvu/assert';
import { attempt } from '../../../processing/attempt.ts';
import { createRecogniser } from '../../../processing/read/ocr.ts';
import { rounds, suite } from '../../harness.ts';
import { fileFolder, versionOf } from '../files.ts';
import { type Labelled, labelledDocuments } from './documents.ts';

const test = suite('labelled documents');
const recogniser = createRecogniser();
let files: Awaited<ReturnType<typeof fileFolder>>;
test.before(async () => {
  files = await fileFolder();
});
test.after(() => files.remove());

/** A confidence below this sends what was found to a person. */
const SURE = 0.8;
/** Of the values that stand on a page so many are found, right and surely. */
const LEAST_FOUND = 0.86;

type Judged = Readonly<{
  document: Labelled;
  name: string;
  found: unknown;
  confidence: number;
  right: boolean;
}>;

const judged = async (document: Labelled): Promise<readonly Judged[]> => {
  const file = await files.file(document.bytes, document.mimeType);
  const outcome = await attempt(versionOf(document.fields), [file], recogniser, () => undefined);
  if (outcome.kind !== 'extracted') throw new Error(`${document.title}: ${outcome.reason}`);
  return Object.entries(document.truth).map(([name, truth]) => {
    const found = outcome.extractedData[name];
    const confidence = outcome.fieldConfidences[name] ?? 0;
    return { document, name, found, confidence, right: found === truth };
  });
};

const DOCUMENTS = rounds(100, 200);
for (const seed of Array.from({ length: rounds(1, 6) }, (_, index) => 2_026 + index))
  test(
    `of ${DOCUMENTS} labelled texts and PDFs every value is right, or below ${SURE} (seed ${seed}) [extractors-1]`,
    async () => {
      const all: Judged[] = [];
      for (const document of labelledDocuments(seed, DOCUMENTS)) all.push(...(await judged(document)));
      const wrong = all.filter(({ right, confidence }) => !right && confidence >= SURE);
      assert.equal(wrong.map(told), []);
      const stated = all.filter(({ document, name }) => document.truth[name] !== null);
      const sure = stated.filter(({ right, confidence }) => right && confidence >= SURE);
      assert.ok(
        sure.length >= LEAST_FOUND * stated.length,
        `${sure.length} of ${stated.length} are found surely`,
      );
    },
    { timeoutMs: 120_000 },
  );

const told = ({ document, name, found, confidence }: Judged): string =>
  `${document.title}: ${name} ${JSON.stringify(found)} at ${confidence}, not ${JSON.stringify(document.truth[name])}`;
