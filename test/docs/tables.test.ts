import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { pagesWithTables } from '../../scripts/docs/tables.ts';
import { suite } from '../harness.ts';

const test = suite('tables of the documents');

for (const [path, text] of Object.entries(pagesWithTables()))
  test(`those in ${path} are what the code says`, () =>
    assert.is(readFileSync(path, 'utf8'), text, 'run npm run docs'));
