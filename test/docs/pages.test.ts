import { existsSync, readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { deadReferences, type Page } from './references.ts';

const test = suite('pages of the documentation');
const read = (path: string): string => readFileSync(path, 'utf8');
const pages: readonly Page[] = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
].map((path) => ({ path, text: read(path) }));

test('every link, heading and path that a page names is there', () => {
  assert.ok(pages.length > 20);
  assert.equal(deadReferences(pages, { exists: existsSync, textOf: read }), []);
});

test('a link, a heading and a path that lead nowhere are found', () => {
  const text = [
    '# A page',
    '[one](two.md), [here](#a-page), [there](two.md#other), [web](https://example.com)',
    '`http/engine/route.ts`, `http/gone.ts`, `http.Server`, `application/json`',
    '```sh',
    'cat `docs/example.md` # [no link](nowhere.md)',
    '```',
    '[three](three.md), [nowhere](#nowhere)',
  ].join('\n');
  const project = {
    exists: (path: string) => ['docs/one.md', 'docs/two.md', 'http/engine/route.ts'].includes(path),
    textOf: (path: string) => (path === 'docs/one.md' ? text : '# Two\n'),
  };
  assert.equal(deadReferences([{ path: 'docs/one.md', text }], project), [
    'docs/one.md links to two.md#other',
    'docs/one.md links to three.md',
    'docs/one.md links to #nowhere',
    'docs/one.md names http/gone.ts',
  ]);
});

const decisions = pages.filter(({ path }) => /^docs\/decisions\/\d/.test(path));
const index = read('docs/decisions/README.md');

for (const { path, text } of decisions) {
  const [, number = '', file = ''] = /(\d{4})(.*)$/.exec(path) ?? [];
  test(`the index of decisions tells title, status and date of ${number}`, () => {
    const [, title, since] = /^# \d+\. (.*)\n\nAccepted (\d{4}-\d{2}-\d{2})\b/.exec(text) ?? [];
    assert.ok(title && since, `${path} begins with its title and the date`);
    const row = new RegExp(
      `^\\| ${Number(number)} \\| (.*) \\| (accepted|superseded by .*) \\| (.*) \\|$`,
      'm',
    );
    const [, link, , date] = row.exec(index) ?? [];
    assert.is(link, `[${title}](${number}${file})`);
    assert.is(date, since);
    assert.ok(text.trimEnd().split('\n').length <= 30, `${path} has at most 30 lines`);
  });
}

test('the README has at most 100 lines', () => {
  assert.ok(read('README.md').trimEnd().split('\n').length <= 100);
});
