import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { mayHaveClass, namedClasses, styledClasses, type Tree, unmentioned } from './mentions.ts';
import { misfilled } from './placeholders.ts';

const test = suite('console: nothing unused');

const sources = readdirSync('console', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && file !== 'texts.ts')
  .map((file) => join('console', file))
  // What the page says before, or without, its modules.
  .concat('http/console/page.ts')
  .map((file) => readFileSync(file, 'utf8'));
/** Whether a name is used, and not only imported. */
const mentions = (texts: readonly string[], name: string): boolean =>
  texts.some((text) => new RegExp(`\\b${name}\\b`).test(text.replace(/^import [^;]*;/gm, '')));
const css = readdirSync('console/styles')
  .map((file) => readFileSync(join('console/styles', file), 'utf8'))
  .join('\n');

const english: Tree = JSON.parse(readFileSync('console/texts.en.json', 'utf8'));

test('every screen of the two modules is shown somewhere', () => {
  const frame = readdirSync('console/frame').map((file) => readFileSync(join('console/frame', file), 'utf8'));
  for (const file of ['work.ts', 'administration.ts']) {
    const names = [...readFileSync(join('console/screens', file), 'utf8').matchAll(/default as (\w+)/g)];
    assert.ok(names.length > 5);
    assert.equal(
      names.map(([, name]) => name ?? '').filter((name) => !mentions(frame, name)),
      [],
      file,
    );
  }
});

test('every text is used', () => {
  assert.equal(unmentioned(english, sources), []);
});

test('every text is given what it names, and is shown filled', () => {
  assert.equal(misfilled(english, sources), []);
});

test('a text that is filled with other values than it names is found, by whatever name it is known there', () => {
  const texts: Tree = {
    plain: 'Plain',
    of: '{name} of {whole}',
    own: { rows: { one: '{count} row', other: '{count} rows' }, all: 'All {count}', by: 'By {name}' },
    acts: { add: { done: '{name} is added' }, drop: { done: '{name} is gone' } },
  };
  const right = `
    const own = texts.own;
    const { done } = texts.acts[act];
    say(texts.of, { name, whole: sum(a, b) }) + say(isAll ? own.all : own.rows, { count: rows.length });
    say(done, { name: nameOf({ a }) }) + say(own.by, { name: 'x' }) + texts.plain;`;
  assert.equal(misfilled(texts, [right]), []);
  const wrong = (from: string, to: string) => misfilled(texts, [right.replace(from, to)]);
  assert.equal(wrong('{ name, whole', '{ name, all'), [
    'of is not given {whole}',
    'say(texts.of) is given all, which no text has',
  ]);
  assert.equal(wrong('{ count: rows.length }', '{}'), [
    'own/all is not given {count}',
    'own/rows is not given {count}',
  ]);
  assert.equal(wrong("say(own.by, { name: 'x' })", 'own.by'), [
    'own/by is shown unfilled',
    'own/by is filled by none',
  ]);
  assert.equal(wrong('say(done, { name: nameOf({ a }) })', 'say(gone, { name })'), [
    'say(gone) fills no text',
    'say(gone) is given name, which no text has',
    'acts/add/done is filled by none',
    'acts/drop/done is filled by none',
  ]);
});

test('a text that no source mentions is found, by whatever name its part is known there', () => {
  const texts: Tree = {
    title: 'Title',
    unused: 'Unused',
    own: { used: { one: 'used', other: 'used' }, unused: 'unused', list: ['a', 'b'] },
    inner: { columns: { a: 'A', b: 'B' }, states: { on: 'On', off: 'Off' }, other: { text: 'x' } },
    spread: { one: '1', two: '2' },
  };
  const source = `
    const own = texts.own;
    const { columns, states: words } = texts.inner;
    const title = texts.title.length + say(own.used, { count: 1 }) + own.list.map(String) + columns.a + words[name];
    const shown = <Table columns={columns2} own="unused" />;
    const all = { ...texts.spread };`;
  assert.equal(unmentioned(texts, [source]), ['unused', 'own/unused', 'inner/columns/b', 'inner/other/text']);
  assert.equal(unmentioned(texts, [source, 'const { other } = texts.inner; show(other);']).length, 3);
});

test('every class of the style sheet is some element’s, and every class of an element has a style', () => {
  const styled = styledClasses(css);
  assert.ok(styled.length > 50);
  assert.equal(
    styled.filter((name) => !sources.some((source) => mayHaveClass(source, name))),
    [],
    'styles of no element',
  );
  const named = new Set(sources.flatMap(namedClasses));
  assert.ok(named.size > 40);
  assert.equal(
    [...named].filter((name) => !styled.includes(name)),
    [],
    'classes without a style',
  );
});

test('classes are found in what is written of them', () => {
  assert.equal(styledClasses('/* .gone {} */ .a.b > p,\n.c-d:not(.e) { margin: 0.5em }'), [
    'a',
    'b',
    'c-d',
    'e',
  ]);
  const template = ['`f ', 'TONES[it]} line', 'n}`'].join('${');
  const source = `<p class="a b" title="x"><i class={is === 'c' ? 'd e' : ${template}}>`;
  assert.equal(namedClasses(source), ['a', 'b', 'd', 'e', 'f']);
  const found = ['a', 'line3', 'good', 'line', 'bad', 'x1'].filter((name) =>
    mayHaveClass(`${source} const TONES = { yes: 'good' };`, name),
  );
  assert.equal(found, ['a', 'line3', 'good', 'line']);
});

test('every property of the style sheet is used, and every one that is used is there', () => {
  const all = (pattern: RegExp) => [...new Set([...css.matchAll(pattern)].map(([, name]) => name))].sort();
  assert.equal(all(/(--[\w-]+):/g), all(/var\((--[\w-]+)\)/g));
});
