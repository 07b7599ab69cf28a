import { suite } from '../harness.ts';
import { copyTests } from './objects/copies.ts';
import { downloadTests } from './objects/downloads.ts';
import { readingTests } from './objects/reading.ts';
import { type ObjectsUnderTest, stageOf } from './objects/stage.ts';
import { troubleTests } from './objects/trouble.ts';
import { uploadTests } from './objects/uploads.ts';

/** Holds a driver to every sentence of stores/objects/port.ts. */
export const objectContract = (driver: string, open: () => Promise<ObjectsUnderTest>): void => {
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
  for (const declare of [uploadTests, readingTests, downloadTests, copyTests, troubleTests])
    declare(test, stage);
};
