import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { long, note, suite } from '../harness.ts';
import { alterations } from '../support/alterations.ts';
import type { Client } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { detailOf } from '../support/fraud.ts';
import { canDrawText, madeUpReceipt } from '../support/receipts.ts';
import { startService, type TestService } from '../support/service.ts';
import { families } from '../support/templates.ts';

const test = suite('near duplicates of real receipts');
const folder = process.env.RECEIPTS ?? '../shared/samples/receipts';
const scans = existsSync(folder)
  ? readdirSync(folder)
      .filter((name) => name.endsWith('.jpg'))
      .sort()
  : [];
const { upload, processing } = receiptDefinition;
const definition = {
  ...receiptDefinition,
  upload: { ...upload, maxFileSizeMb: 10 },
  processing: { ...processing, fraud: { checks: ['near_duplicate_image'] } },
};
/** Issue of fraud checks: of the altered copies so many are found at least. */
const FOUND = 0.95;
const ALL_MS = 900_000;
let service: TestService;

test.before(async () => {
  service = await startService({ WORKERS: '2' });
});
test.after(() => service.close());

/**
 * Sends pictures, all at once or as many as fit, and gives for each its submission and those that it matched.
 */
const send = async (api: Client, pictures: readonly Buffer[]) => {
  const sessions = [];
  for (const content of pictures) {
    const session = await api.open([{ content, mimeType: 'image/jpeg' }]);
    assert.is((await api.submit(session)).status, 202);
    sessions.push(session);
  }
  const outcomes = [];
  for (const session of sessions) {
    const { state } = await api.ended(session, ALL_MS);
    assert.is(state, 'completed');
    const { id, fraudMatches } = await detailOf(api, session.submissionId);
    const matched: readonly string[] = fraudMatches.map((match: Match) => match.matchedSubmissionId);
    outcomes.push({ id: String(id), matched });
  }
  return outcomes;
};
type Match = Readonly<{ matchedSubmissionId: string }>;

const receipts = 'altered copies of receipts are found, and only as copies of their originals';
const LONG = 'npm run test:all reads them all, http/nearDuplicates some';
if (!long) test.skip(receipts, LONG);
else if (scans.length === 0) test.skip(receipts, `no scans in RECEIPTS=${folder}`);
else
  test(
    receipts,
    async () => {
      const { api } = await service.company(definition);
      const names = scans;
      const pictures = names.map((name) => readFileSync(join(folder, name)));
      const originals = await send(api, pictures);
      for (const [n, { matched }] of originals.entries())
        assert.equal(matched, [], `${names[n]} is like no other`);

      const copies = Array.from({ length: 40 }, (_, n) => {
        const alteration = alterations[n % alterations.length];
        if (!alteration) throw new Error('there are no alterations');
        return { alteration, source: n % names.length };
      });
      const altered = await Promise.all(
        copies.map(({ alteration, source }) => alteration.of(pictures[source] ?? Buffer.of())),
      );
      const sent = await send(api, altered);
      const family = new Map(originals.map(({ id }, n) => [id, n]));
      for (const [n, { id }] of sent.entries()) family.set(id, copies[n]?.source ?? -1);
      const missed = copies.filter(
        ({ source }, n) => !sent[n]?.matched.includes(originals[source]?.id ?? ''),
      );
      const told = missed.map(({ alteration, source }) => `${names[source]} ${alteration.name}`);
      note(`near duplicates: found ${copies.length - missed.length} of ${copies.length} ${told.join('; ')}`);
      for (const [n, { matched }] of sent.entries())
        for (const id of matched)
          assert.is(family.get(id), copies[n]?.source, 'a copy is matched with its own kin');
      assert.ok(missed.length <= (1 - FOUND) * copies.length, told.join('; '));
    },
    { timeoutMs: ALL_MS },
  );

const made = 'documents of one template with other values are no near duplicates';
if (!long) test.skip(made, LONG);
else
  test(
    made,
    async () => {
      if (!(await canDrawText())) return test.skip(made, 'no font to draw text with');
      const { api } = await service.company(definition);
      const named = families.flatMap(({ name, documents }) => documents.map((of) => ({ name, of })));
      const random = Array.from({ length: 40 }, (_, n) => ({
        name: 'random values',
        of: () => madeUpReceipt(n, n % 2 === 0 ? 'same' : 'other'),
      }));
      const all = [...named, ...random];
      const sent = await send(api, await Promise.all(all.map(({ of }) => of())));
      const alike = all.filter((_, n) => sent[n]?.matched.length !== 0).map(({ name }) => name);
      note(
        `near duplicates: ${alike.length} false of ${all.length} documents of templates ${alike.join('; ')}`,
      );
      assert.equal(alike, []);
    },
    { timeoutMs: ALL_MS },
  );
