import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { clientTypes, servedDocument } from '../../scripts/docs/clientTypes.ts';
import { suite } from '../harness.ts';

const test = suite('client: types of the API');

test('client/api.ts is made from the document that the service serves [client-1]', async () => {
  assert.is(readFileSync('client/api.ts', 'utf8'), clientTypes(await servedDocument()), 'run npm run docs');
});
