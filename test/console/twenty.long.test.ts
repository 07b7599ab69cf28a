import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { eventually, note } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { PASSWORD } from '../support/people.ts';
import { browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: twenty submissions by keyboard');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

const SIZE = 20;
const fraud = { checks: ['duplicate_data'], businessKey: ['company', 'total'], flagAt: 0.1, blockAt: 0.2 };
const definition = { ...receiptDefinition, processing: { review: 'always', fraud } };

/**
 * What is prepared, oldest first: most are fine, some doubtful, one lacks its total, one is like another, one
 * is rejected.
 */
const prepared = Array.from({ length: SIZE }, (_, n) => {
  if (n === 3 || n === 8)
    return { company: `C${n}`, total: undefined, one: { total: 3 }, other: { total: 4 } };
  if (n === 5) return { company: `C${n}`, total: undefined };
  return n === 11 ? { company: 'C10', total: 10 } : { company: `C${n}`, total: n };
});
const [LACKING, ALIKE, REJECTED] = [5, 11, 14];

/** Goes on with Tab to what says this, as who has no mouse does. */
const tabTo = async (page: Page, text: string): Promise<void> => {
  const focused = async () => String(await page.evaluate('document.activeElement.textContent'));
  for (let tabs = 0; (await focused()) !== text; tabs += 1) {
    assert.ok(tabs < 60, `no way to ${text}`);
    await page.keyboard.press('Tab');
  }
};

const approve = (page: Page): Promise<void> => page.keyboard.press('Control+Enter');

/** What a person does with each of them, by key. */
const work = async (page: Page, n: number): Promise<void> => {
  if (n === LACKING) {
    await page.keyboard.press('f');
    await page.keyboard.type('12.5');
    await page.getByRole('button', { name: 'Approve with 1 correction' }).waitFor();
  }
  if (n === ALIKE) {
    await page.keyboard.press('2');
    await page.getByRole('button', { name: 'Dismiss the match' }).waitFor();
    await tabTo(page, 'Dismiss the match');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Dismiss the match' });
    await dialog.waitFor();
    await tabTo(page, 'Dismiss the match');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Dismissed').first().waitFor();
  }
  if (n !== REJECTED) return approve(page);
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Reject this submission?' });
  await dialog.waitFor();
  // The first of the reasons, which the space bar chooses.
  const isRadio = () => page.evaluate(`document.activeElement.type === 'radio'`);
  while (!(await isRadio())) await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await tabTo(page, 'Reject');
  await page.keyboard.press('Enter');
};

test(
  'a reviewer clears twenty submissions by keyboard alone; the log names that person twenty times, and evidence proves it',
  async () => {
    const { id, api } = await world.service.company(definition);
    const ids: string[] = [];
    for (const data of prepared) ids.push((await api.process([receiptText(data)])).submissionId);
    const { email, userId } = await world.people.user(id, 'reviewer', 'Ann');
    const page = await (await world.browser.context()).newPage();
    await page.goto('/console');
    await page.getByLabel('E-mail').waitFor();
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Review the next one' }).waitFor();
    await eventually('the rows', async () => (await page.getByRole('row').count()) > SIZE);
    const started = performance.now();
    await page.keyboard.press('n');
    for (const [n, submissionId] of ids.entries()) {
      await page.waitForURL((url) => url.pathname.endsWith(`/submissions/${submissionId}`));
      await page.getByText(submissionId).first().waitFor();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      await work(page, n);
    }
    await page.getByText('Nothing waits for a review').waitFor();
    const each = Math.round((performance.now() - started) / SIZE);
    note(`${SIZE} submissions by keyboard: ${each} ms each, which is the pages' own time`);

    type Entry = Readonly<{ type: string; actor: Readonly<{ kind: string; id: string }> }>;
    const decisions: Entry[] = [];
    for (const [n, submissionId] of ids.entries()) {
      const { data } = (await api.get(`/api/v1/submissions/${submissionId}/events?limit=100`)).body;
      const made = (data as readonly Entry[]).filter(({ type }) => /\.(approved|rejected)$/.test(type));
      assert.is(made[0]?.type, n === REJECTED ? 'submission.rejected' : 'submission.approved', `number ${n}`);
      decisions.push(...made);
    }
    assert.equal(
      decisions.map(({ actor }) => actor),
      Array.from({ length: SIZE }, () => ({ kind: 'user', id: userId })),
    );
    const detailOf = async (n: number) => (await api.get(`/api/v1/submissions/${ids[n]}`)).body;
    assert.equal((await detailOf(LACKING)).corrections[0].humanValue, 12.5);
    assert.is((await detailOf(REJECTED)).rejectReason, 'Not the right document');
    assert.is((await detailOf(ALIKE)).fraudMatches[0].resolvedBy, `user:${userId}`);
    await provedBy(ids, userId);
  },
  { timeoutMs: 240_000 },
);

/**
 * Exports the evidence of each, verifies it with the public key alone, and finds the person in its decision.
 */
const provedBy = async (ids: readonly string[], userId: string): Promise<void> => {
  const { intake, dataDir } = world.service;
  const key = join(dataDir, 'evidence.pem');
  writeFileSync(key, (await intake<{ publicKey: string }>('audit', 'key')).publicKey);
  for (const id of ids) {
    const folder = join(dataDir, `evidence-${id}`);
    await intake('audit', 'export', id, '--out', folder);
    const { holds, findings } = await intake<{ holds: boolean; findings: readonly unknown[] }>(
      ...(['audit', 'verify', folder, '--key', key] as const),
    );
    assert.equal([holds, findings], [true, []], id);
    const lines = readFileSync(join(folder, 'events.jsonl'), 'utf8').trim().split('\n');
    const actors = lines
      .map((line) => JSON.parse(line).stored as readonly [string, string, object, { actor: object }])
      .filter(([, type]) => type === 'SubmissionApproved' || type === 'SubmissionRejected')
      .map(([, , , { actor }]) => actor);
    assert.equal(actors, [{ kind: 'user', id: userId }], id);
  }
};
