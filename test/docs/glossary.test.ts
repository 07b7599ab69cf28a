import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { sources } from '../architecture/sources.ts';
import { suite } from '../harness.ts';
import { listedNames, portsIn } from './ports.ts';

const test = suite('docs/glossary.md');
const page = readFileSync('docs/glossary.md', 'utf8');
const ports = portsIn(sources());

test('every port is read', () => {
  const headings = [...page.matchAll(/^### `([^`]+)`$/gm)].map(([, path]) => path);
  assert.equal(headings.sort(), ports.map(({ path }) => path).sort());
  for (const { path, names } of ports) assert.ok(names.size > 3, `${path} has names`);
});

for (const { path, names } of ports)
  test(`it lists the names of ${path} and no other`, () => {
    const listed = listedNames(page, path);
    assert.equal(
      [...names].filter((name) => !listed.has(name)),
      [],
      'not listed',
    );
    const gone = [...listed].filter((name) => !names.has(name));
    assert.equal(gone, [], 'listed, and not there');
  });

test('names of a port are its exports and the members of its types, not parameters or comments', () => {
  const text = [
    '/** note: a comment */',
    'export type A = Readonly<{ one: string; two?: (three: number) => void }>;',
    'export interface B {',
    '  four<D>(five: string, six?: Readonly<{ seven: (eight: string) => void }>): Promise<{ nine: A }>;',
    '}',
    'const hidden = { ten: 1 };',
    'export const eleven = (twelve: string): string => twelve;',
  ].join('\n');
  const [port] = portsIn([{ path: 'stores/x/port.ts', text }]);
  assert.equal([...(port?.names ?? [])].sort(), ['A', 'B', 'eleven', 'four', 'nine', 'one', 'two']);
});
