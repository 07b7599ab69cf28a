import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SENTENCES } from '../../evidence/verify/sentences.ts';
import { suite } from '../harness.ts';
import type { Tree } from './mentions.ts';
import { translationFaults } from './translations.ts';
import { wordsOutside } from './wordsOutside.ts';

const test = suite('console: languages');

const textsIn = (language: string): Tree =>
  JSON.parse(readFileSync(`console/texts.${language}.json`, 'utf8'));
const english = textsIn('en');
const languages = readdirSync('console')
  .flatMap((file) => /^texts\.(.+)\.json$/.exec(file)?.[1] ?? [])
  .filter((language) => language !== 'en');

for (const language of languages)
  test(`the texts in ${language}: none is missing or left over, each with what it names and its plurals`, () =>
    assert.equal(translationFaults(english, textsIn(language), language), []));

test('all that a verification can find has a text, which is in English what the command line says', () =>
  assert.equal((english.verify as Tree).findings, SENTENCES));

test('each fault of a translation is found', () => {
  const original: Tree = {
    plain: 'Plain words here',
    of: '{name} of {whole}',
    part: { rows: { one: '{count} row', other: '{count} rows' }, list: ['first', 'second'] },
  };
  const right: Tree = {
    plain: 'Prosta',
    of: '{whole}: {name}',
    part: {
      rows: { one: 'wiersz', few: '{count} wiersze', many: '{count} wierszy', other: '{count} wiersza' },
      list: ['a', 'b'],
    },
  };
  assert.equal(translationFaults(original, right, 'pl'), []);
  const part = right.part as Tree;
  const rows = part.rows as Tree;
  const wrong = (change: Tree) => translationFaults(original, { ...right, ...change }, 'pl');
  const wrongRows = (change: Tree) => wrong({ part: { ...part, rows: change } });
  const { plain, ...lacking } = right;
  assert.equal(translationFaults(original, { ...lacking, more: plain }, 'pl'), [
    '/plain is missing',
    '/more is left over',
  ]);
  assert.equal(wrong({ plain: 'Plain words here' }), ['/plain is not translated']);
  assert.equal(wrong({ plain: ' ' }), ['/plain has no form for other']);
  assert.equal(wrong({ of: '{name} {all}' }), [
    '/of (other): {all} is not in the original',
    '/of (other): {whole} is missing',
  ]);
  assert.equal(wrong({ part: { ...part, list: ['a'] } }), ['/part/list/1 is missing']);
  assert.equal(wrong({ part: { ...part, list: ['a', 'b', 'c'] } }), ['/part/list/2 is left over']);
  assert.equal(wrongRows({ one: 'wiersz', other: '{count}' }), [
    '/part/rows has no form for many',
    '/part/rows has no form for few',
  ]);
  assert.equal(wrongRows({ ...rows, two: '{count}' }), ['/part/rows needs no form for two']);
  assert.equal(wrongRows({ ...rows, other: 'wiersza' }), ['/part/rows (other): {count} is missing']);
});

test('no text stands in the console outside of the files of texts', () => {
  const sources = readdirSync('console', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  assert.ok(sources.length > 50);
  assert.equal(
    sources.flatMap((file) =>
      wordsOutside(readFileSync(join('console', file), 'utf8')).map((words) => `${file}: ${words}`),
    ),
    [],
  );
});

test('a text in a source is found, as a child, an attribute, a value, and in a template', () => {
  const source = `
    // Words of a comment.
    /** Words of others. */
    import { a } from './some words.ts';
    const kind = 'left';
    throw new Error('Words that only programs see');
    const shown = <p class="two classes" title={texts.title}>{texts.a}{' '}<b>{count}</b></p>;
    const far = a < b && c > d;
  `;
  assert.equal(wordsOutside(source), []);
  const found = (text: string) => wordsOutside(`${source}\n${text}`);
  assert.equal(found('<p>Some words</p>'), ['Some words']);
  assert.equal(found('<p>{count} Words</p>'), ['Words']);
  assert.equal(found('<Field label="Name" />'), ['Name']);
  assert.equal(found('<img alt="A page" />'), ['A page']);
  assert.equal(found("announce('It was done.')"), ['It was done.']);
  assert.equal(found(['<p title={`Page ', '{page}`} />'].join('$')), ['Page ']);
  assert.equal(found("const text = isOpen ? 'Close' : more"), ['Close']);
});
