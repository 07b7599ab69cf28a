import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { definitionFor } from '../../bench/extraction/kinds.ts';
import { LAYOUTS } from '../../bench/papers/layouts.ts';
import { linesOf } from '../../bench/papers/machineReadable.ts';
import { papers } from '../../bench/papers/paper.ts';
import { run } from '../../bench/papers.ts';
import { definitionProblems } from '../../schemas/definitionProblems.ts';
import { suite } from '../harness.ts';

const test = suite('the papers of the bench');
const folder = mkdtempSync(join(tmpdir(), 'intake-papers-'));
test.after(() => rmSync(folder, { recursive: true }));

const written = async (name: string, seed: number): Promise<ReadonlyMap<string, string>> => {
  const out = join(folder, name);
  await run(['--seed', String(seed), '--count', '4', '--out', out]);
  const files = readdirSync(out, { recursive: true })
    .map(String)
    .filter((file) => file.includes('.'));
  return new Map(files.sort().map((file) => [file, readFileSync(join(out, file), 'base64')]));
};

test('the same seed makes the same files, another one others', async () => {
  const first = await written('first', 7);
  assert.ok([...first.keys()].filter((file) => file.endsWith('.json')).length === 4);
  assert.equal(await written('again', 7), first);
  assert.not.equal([...(await written('other', 8)).values()], [...first.values()]);
});

test('papers are of seven kinds, of text and scanned, in at least twelve layouts of invoices', () => {
  const made = papers(1, 90);
  assert.is(new Set(made.map(({ kind }) => kind)).size, 7);
  assert.is(new Set(made.map(({ isScan }) => isScan)).size, 2);
  assert.ok(LAYOUTS.length >= 12);
  const names = LAYOUTS.map(({ name, ...how }) => [name, JSON.stringify(how)]);
  assert.is(new Set(names.map(([, how]) => how)).size, LAYOUTS.length);
});

test('the truth of an invoice adds up, and each of its texts is drawn', () => {
  for (const { kind, truth, pages } of papers(3, 60).filter((one) => one.kind === 'invoice')) {
    const [subtotal, tax, total] = [truth.subtotal, truth.tax, truth.total].map(Number) as [
      number,
      number,
      number,
    ];
    assert.ok(Math.abs(subtotal + tax - total) < 0.03, `${kind}: ${subtotal} + ${tax} = ${total}`);
    const drawn = pages
      .flatMap(({ marks }) => marks.map((mark) => ('text' in mark ? mark.text : '')))
      .join('\n');
    for (const text of [truth.supplier, truth.customer, truth.invoiceNumber])
      assert.ok(drawn.includes(String(text)), String(text));
  }
});

test('each kind has a sample workflow whose required fields its truths name', () => {
  for (const { kind, truth } of papers(2, 30)) {
    const definition = JSON.parse(readFileSync(definitionFor(kind), 'utf8'));
    assert.equal(definitionProblems(definition), [], kind);
    for (const { name, required } of definition.outputSchema)
      assert.ok(!required || typeof truth[name] === 'string', `${kind}: ${name}`);
  }
});

// The specimen of ICAO 9303, part 5.
test('machine-readable lines have the check digits of ICAO 9303', () => {
  assert.equal(
    linesOf({
      ...{ given: 'Anna Maria', surname: 'Eriksson', nation: 'UTO', sex: 'F' },
      ...{ birth: '1974-08-12', expiry: '2012-04-15', documentNumber: 'D23145890' },
    }),
    ['I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<'],
  );
});
