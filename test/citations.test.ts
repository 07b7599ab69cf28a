import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { deadCitations, type Text } from './citations.ts';
import { suite } from './harness.ts';

const test = suite('citations');

/** What is not the project's own text, and the texts that hold examples of what is refused. */
const LEFT_OUT =
  /^(?:client\/)?(?:node_modules|dist|data|\.git|LICENSE|package-lock)(?:\/|\.|$)|^test\/citations|^test\/golden\//;
const READ = /\.(?:ts|mjs|js|md|json|ya?ml|sh|example)$|^Dockerfile$|^\.ci\/run$/;

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (LEFT_OUT.test(path)) return [];
    return entry.isDirectory() ? filesIn(path) : READ.test(path) ? [path] : [];
  });

const texts = (): readonly Text[] => filesIn('.').map((path) => ({ path, text: readFileSync(path, 'utf8') }));

test('every citation of code, tests and documents leads somewhere', () => {
  const page = readFileSync('docs/contract.md', 'utf8');
  const all = texts();
  for (const path of ['kernel/event.ts', 'test/harness.ts', 'docs/architecture.md', 'README.md'])
    assert.ok(
      all.some((text) => text.path === path),
      `${path} was read`,
    );
  assert.equal(
    all.flatMap((text) => deadCitations(text, page)),
    [],
  );
});

const page = '<a id="jobs-1"></a><a id="webhook-tests-2"></a>';
const exists = (path: string): boolean => path === 'docs/decisions/0001-a.md' || path === 'docs/contract.md';
const planted: readonly (readonly [line: string, dead: string | null])[] = [
  ['// Once only (jobs-1, webhook-tests-2).', null],
  ['// Once only (jobs-2).', 'jobs-2'],
  ['// Twice (jobs-1, webhook-tests-9).', 'webhook-tests-9'],
  ['// Once only (jbos-1).', 'jbos-1'],
  ['const id = "old-jobs-7.json";', null],
  ['// See docs/decisions/0001-a.md.', null],
  ['// See docs/decisions/0002-b.md.', 'docs/decisions/0002-b.md'],
  ['[why](decisions/0001-a.md), [rule](contract.md#jobs-1)', null],
  ['[why](decisions/0009-z.md)', 'decisions/0009-z.md'],
  ['[rule](contract.md#jobs-3)', 'jobs-3'],
  ['/** The key (contract, section 5.1). */', 'contract, section 5'],
  ['/** (decisions, sections 5 and 6) */', 'decisions, sections 5'],
  ['/** Of the contract (section 4), as it is. */', '(section 4)'],
  ['/** Measures goals P3. */', 'goals P3'],
  ['/** How many (issue of fraud checks). */', '(issue of fraud checks)'],
  ['// A reader may ignore it (RFC 8259, section 8.1).', null],
];
for (const [line, dead] of planted)
  test(`${JSON.stringify(line)} ${dead === null ? 'is fine' : 'leads nowhere'}`, () => {
    const faults = deadCitations({ path: 'docs/x.md', text: line }, page, exists);
    if (dead === null) assert.equal(faults, []);
    else
      assert.ok(
        faults.some((fault) => fault.startsWith('docs/x.md:1: ') && fault.includes(dead)),
        `${faults}`,
      );
  });
