import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { rounds, suite } from '../harness.ts';
import { SAMPLES } from '../processing/files.ts';
import { alterations, upperPart } from '../support/alterations.ts';
import type { Client } from '../support/client.ts';
import { detailOf, fraudCompany, sent } from '../support/fraud.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('near duplicates of pictures');
/** The upper part of a receipt: enough to tell it by, and read in a third of the time. */
let original: Buffer;
const picture = (content: Buffer) => ({ content, mimeType: 'image/jpeg' });
const altered = async (name: string) => {
  const alteration = alterations.find((one) => one.name.startsWith(name));
  if (!alteration) throw new Error(`there is no alteration ${name}`);
  return picture(await alteration.of(original));
};
let service: TestService;
let companyId: string;
let api: Client;

test.before(async () => {
  original = await upperPart(readFileSync(join(SAMPLES, 'receipt.jpg')));
  service = await startService({ WORKERS: '2' });
  ({ id: companyId, api } = await fraudCompany(service, [
    'near',
    'near-allowed',
    'near-blocked',
    'near-and-file',
  ]));
});
test.after(() => service.close());

type Detail = Awaited<ReturnType<typeof detailOf>>;
const statusOf = ({ submissionStatus, fraudStatus }: Detail) => [submissionStatus, fraudStatus];
const matchedBy = ({ fraudMatches }: Detail) =>
  fraudMatches.map((match: Detail) => [match.checkType, match.matchedSubmissionId]);

test(
  'an altered copy is caught, the match tells which pages are alike and how much, the version says what is done about it, and one that was cancelled no longer counts [fraud-2]',
  async () => {
    const first = await sent(api, 'near', [picture(original)]);
    assert.equal([first.fraudStatus, first.fraudMatches], ['clean', []]);
    const copy = await sent(api, 'near', [await altered('cropped by 5 % a side')]);
    const [{ score, similarity, details, checkType, matchedSubmissionId }] = copy.fraudMatches;
    assert.equal([checkType, matchedSubmissionId], ['near_duplicate_image', first.id]);
    assert.ok(similarity > 0.85 && similarity <= 1, String(similarity));
    assert.is(copy.submissionStatus, 'review');
    const [{ parts, words, numbers, certain, ...pages }, ...others] = details.pages;
    const flagged = 0.6 + (0.25 * numbers.same) / numbers.compared;
    assert.is(score, certain ? 0.95 : Math.round(1_000 * flagged) / 1_000);
    assert.is(copy.fraudStatus, certain ? 'blocked' : 'flagged');
    assert.equal(others, []);
    assert.equal(pages, {
      ...{ fileId: copy.files[0].id, label: 'front', page: 1 },
      ...{ matchedFileId: first.files[0].id, matchedLabel: 'front', matchedPage: 1 },
      similarity,
    });
    assert.ok(parts.same <= parts.compared && words.same <= words.compared && words.same > 0);

    const blocked = await sent(api, 'near-blocked', [await altered('turned by 3')]);
    assert.equal(statusOf(blocked), ['review', 'blocked']);
    assert.is((await api.post(`/api/v1/submissions/${blocked.id}/cancel`)).status, 200);
    const allowed = await sent(api, 'near-allowed', [await altered('half as large')]);
    assert.is(allowed.fraudStatus, 'clean');
    const listed = matchedBy(allowed).map(([, id]: readonly string[]) => id);
    assert.equal(listed.sort(), [first.id, copy.id].sort());
    assert.ok(allowed.fraudScore >= 0.6);
  },
  { timeoutMs: 120_000 },
);

test.long(
  'never across modes and companies, nor within one submission; a file of the same bytes is a duplicate file and no near duplicate beside',
  async () => {
    const { api: testMode } = await service.key(companyId, 'test');
    const { api: foreign } = await fraudCompanyOf('foreign');
    const [twice, first] = await Promise.all([
      sent(testMode, 'near', [picture(original), await altered('saved')]),
      sent(foreign, 'near-and-file', [picture(original)]),
    ]);
    for (const { fraudStatus, fraudMatches } of [twice, first])
      assert.equal([fraudStatus, fraudMatches], ['clean', []]);
    const again = await sent(foreign, 'near-and-file', [picture(original)]);
    assert.equal(matchedBy(again), [['duplicate_file', first.id]]);
  },
  { timeoutMs: 120_000 },
);

test.long(
  'of copies sent at once all but the first are caught',
  async () => {
    const { api: live } = await fraudCompanyOf('many at once');
    const copies = await Promise.all(alterations.slice(0, rounds(2, 4)).map(({ of }) => of(original)));
    const sessions = await Promise.all(copies.map((copy) => live.open([picture(copy)], {}, 'near')));
    await Promise.all(sessions.map((session) => live.submit(session, 'near')));
    const matched = await Promise.all(
      sessions.map(async (session) => {
        await live.ended(session, 60_000);
        return (await detailOf(live, session.submissionId)).fraudMatches.length > 0;
      }),
    );
    assert.is(matched.filter((one) => !one).length, 1);
  },
  { timeoutMs: 120_000 },
);

const fraudCompanyOf = async (name: string) => {
  const { id } = await service.intake<{ id: string }>('company', 'create', '--name', name);
  for (const slug of ['near', 'near-and-file'])
    await service.intake('workflow', 'assign', slug, '--company', id);
  return service.key(id);
};
