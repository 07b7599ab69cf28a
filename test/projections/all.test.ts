import { readdirSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/all.ts';
import { suite } from '../harness.ts';

const test = suite('all read models');

const isProjection = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'prefixes' in value && 'keys' in value && 'on' in value;

test('every projection of the folder is in the list', async () => {
  const folder = new URL('../../projections/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'));
  const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href)));
  const found = modules.flatMap((module) => Object.values<unknown>(module)).filter(isProjection);
  assert.ok(found.length > 20);
  assert.equal(
    found.filter((one) => !(allProjections as readonly unknown[]).includes(one)),
    [],
  );
  assert.is(new Set(allProjections.map(({ name }) => name)).size, allProjections.length, 'each once');
});
