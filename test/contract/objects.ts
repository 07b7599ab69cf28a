import { suite } from '../harness.ts';
import { copyTests } from './objects/copies.ts';
import { downloadTests } from './objects/downloads.ts';
import { formTests } from './objects/forms.ts';
import { partTests } from './objects/parts.ts';
import { readingTests } from './objects/reading.ts';
import { removingTests } from './objects/removing.ts';
import { type Declare, type ObjectsUnderTest, stageOf } from './objects/stage.ts';
import { troubleTests } from './objects/trouble.ts';
import { maxSizeTests, uploadTests } from './objects/uploads.ts';

/** Holds a driver to every sentence of stores/objects/port.ts, and to `more`. */
export const objectContract = (
  driver: string,
  open: () => Promise<ObjectsUnderTest>,
  more: readonly Declare[] = [],
): void => {
  const test = suite(`objects: ${driver}`);
  let under: ObjectsUnderTest | undefined;
  test.before(async () => {
    under = await open();
  });
  test.after(() => under?.close());
  const stage = stageOf(() => {
    if (!under) throw new Error('the store is not open yet');
    return under;
  });
  const all = [
    uploadTests,
    maxSizeTests,
    formTests,
    partTests,
    readingTests,
    downloadTests,
    copyTests,
    removingTests,
    troubleTests,
    ...more,
  ];
  for (const declare of all) declare(test, stage);
};
