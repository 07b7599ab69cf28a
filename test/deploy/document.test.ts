import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { readCompose, textOf } from './files.ts';

const test = suite('docs/deploy.md');
const namesIn = (form: RegExp, path = 'docs/deploy.md'): readonly string[] =>
  [...textOf(path).matchAll(form)].map(([, name = '']) => name);

test('docs/kurrentdb.md names the image that is shipped, and its user', () => {
  const { image } = readCompose().services.eventstoredb ?? {};
  const page = textOf('docs/kurrentdb.md');
  assert.ok(image !== undefined && page.includes(`\`${image}\``), image);
  assert.match(page, /docker run .* chown -R 1001:1001 \/data\n/);
});

test('an upgrade goes over every service of ours, readers first', () => {
  const [order = ''] = namesIn(/for s in ([\w -]+); do docker compose up/g);
  const ours = Object.entries(readCompose().services).filter(([, { command }]) => command?.[0] === 'serve');
  assert.equal(order.split(' ').sort(), ours.map(([name]) => name).sort());
  assert.ok(order.startsWith('projections reactors '));
});
