import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startWorld } from './world.ts';

/** A workflow whose submissions all wait for a person, and resemble each other by company and total. */
export const reviewed = {
  ...receiptDefinition,
  outputSchema: [
    ...receiptDefinition.outputSchema,
    {
      ...{ name: 'code', required: false, type: 'string', description: 'two letters and a number' },
      validation: { pattern: '^[A-Z]{2}-[0-9]+$' },
    },
  ],
  processing: { review: 'always', fraud: { checks: ['duplicate_data'], businessKey: ['company', 'total'] } },
};

/** A company with submissions that wait for a review, and the console to open them in. */
export const startSubmissions = async () => {
  const world = await startWorld();
  const company = await world.service.company(reviewed);
  let made = 0;
  /** A submission of JSON that waits for a review. */
  const waiting = async (members: object = {}, input: object = {}) => {
    made += 1;
    const values = { company: `Company ${made}`, total: made, ...members };
    const job = await company.api.process([receiptText(values)], {
      clientSubmissionId: `order-${made}`,
      ...input,
    });
    return { id: job.submissionId as string, name: `order-${made}` };
  };
  const detail = async (id: string, api = company.api) => (await api.get(`/api/v1/submissions/${id}`)).body;
  const open = (id: string, role: Parameters<typeof world.pageOf>[1] = 'reviewer', query = '') =>
    world.pageOf(company.id, role, `/console/submissions/${id}${query}`, { isHolding: true });
  /**
   * What `intake audit verify` finds in exported evidence, with the key that the service gives to everybody.
   */
  const verified = async (bytes: Buffer): Promise<readonly unknown[]> => {
    const folder = mkdtempSync(join(tmpdir(), 'intake-evidence-'));
    const [path, keyPath] = [join(folder, 'evidence.zip'), join(folder, 'evidence.pem')];
    try {
      writeFileSync(path, bytes);
      writeFileSync(keyPath, (await world.people.anybody.get('/api/v1/evidence-key')).body.publicKey);
      const found = await world.service.intake<{ findings: readonly unknown[] }>(
        ...['audit', 'verify', path, '--key', keyPath],
      );
      return found.findings;
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  return { world, company, waiting, detail, open, verified };
};
export type Submissions = Awaited<ReturnType<typeof startSubmissions>>;

/** The control of a field. */
export const field = (page: Page, name: string) => page.locator(`#field-${name}`);
/** All fields. */
export const fields = (page: Page) => page.getByRole('group', { name: /^Fields/ });

/** Approves what lacks a required value: the first press says so. */
export const approveWithout = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+Enter');
  await page.getByText('Approve again to accept that.').last().waitFor();
  await page.keyboard.press('Control+Enter');
};

/** The button that takes the last decision back. */
export const undoButton = (page: Page) => page.getByRole('button', { name: 'Undo (z)' });

/** Lets the time lapse in which a decision can be taken back, on a page that was opened with `isHolding`. */
export const lapse = async (page: Page): Promise<void> => {
  await undoButton(page).waitFor();
  await page.evaluate('lapse()');
};
