import type { Page } from 'playwright-core';

/**
 * A picture to be taken: its name, whose session it is, and how to get there. `at` is where the log-in led
 * to.
 */
export type Shot = Readonly<{ name: string; person: string; open(page: Page, at: URL): Promise<void> }>;

const REVIEWER = 'Ann Meyer';
const ADMINISTRATOR = 'Olga Lind';
const OPERATOR = 'Sam Torres';

/** Goes to a screen of the console, in the company of the log-in. */
const to = async (page: Page, at: URL, path: string): Promise<void> => {
  const [pathname = '', query = ''] = path.split('?');
  const all = new URLSearchParams([...at.searchParams, ...new URLSearchParams(query)]);
  await page.goto(`${at.origin}/console${pathname}${all.size > 0 ? `?${all}` : ''}`);
};

/** Opens a submission by the name of its document, in a view. */
const submission = async (page: Page, at: URL, name: string, view: string): Promise<void> => {
  await to(page, at, `/submissions?clientSubmissionId=${name}`);
  await page.getByRole('link', { name }).click();
  await page.waitForURL(/\/submissions\/sub_/);
  await to(page, at, `${new URL(page.url()).pathname.replace('/console', '')}?view=${view}`);
};

/** As many pages of documents have been drawn. */
const drawn = async (page: Page, count: number): Promise<void> => {
  const picture = page.locator('img').nth(count - 1);
  await picture.evaluate('(image) => image.decode()');
};

/** Shows the end of a page that is longer than the picture. */
const toEnd = (page: Page): Promise<unknown> =>
  page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');

const RECEIPT = 'scripts/samples/receipt.jpg';

/** Has a file read on trial, wherever the screen offers it. */
const tried = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Try with a file' }).click();
  const trial = page.getByRole('region', { name: 'Try with a file' });
  await trial.getByLabel('File', { exact: true }).setInputFiles(RECEIPT);
  await trial.getByRole('region', { name: 'Values that were read' }).waitFor();
  await trial.locator('img').first().evaluate('(image) => image.decode()');
  await toEnd(page);
};

/** The screens of docs/console.md. */
export const shots: readonly Shot[] = [
  {
    name: 'queue',
    person: REVIEWER,
    open: async (page, at) => {
      await to(page, at, '/queue');
      await page.getByRole('link', { name: /Skyline/ }).waitFor();
    },
  },
  {
    name: 'submission',
    person: REVIEWER,
    open: async (page, at) => {
      await submission(page, at, 'taxi.jpg', 'fields');
      await drawn(page, 1);
      await page.getByRole('textbox', { name: 'Total' }).focus();
      await page.evaluate('scrollTo(0, 0)');
    },
  },
  {
    name: 'matches',
    person: REVIEWER,
    open: async (page, at) => {
      await submission(page, at, 'catering.pdf', 'matches');
      await drawn(page, 2);
      // Both pictures and what is compared: the heading is above them.
      await page.getByRole('button', { name: 'Confirm as fraud' }).evaluate('(one) => one.scrollIntoView()');
    },
  },
  {
    name: 'timeline',
    person: ADMINISTRATOR,
    open: async (page, at) => {
      await submission(page, at, 'receipt-stained.png', 'timeline');
      await page.getByText('Ann Meyer').first().waitFor();
    },
  },
  {
    name: 'deliveries',
    person: ADMINISTRATOR,
    open: async (page, at) => {
      await to(page, at, '/deliveries');
      await page.getByRole('row').nth(3).waitFor();
    },
  },
  {
    name: 'privacy',
    person: ADMINISTRATOR,
    open: async (page, at) => {
      await to(page, at, '/privacy');
      await page.getByLabel('Client’s identifier').fill('taxi.jpg');
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByRole('button', { name: 'Export all' }).waitFor();
    },
  },
  {
    name: 'company-settings',
    person: ADMINISTRATOR,
    open: async (page, at) => {
      await to(page, at, '/workflows/receipt');
      const settings = page.getByRole('region', { name: 'Settings of the company' });
      await settings.getByLabel('Label of Total for your people').fill('Amount due');
      await settings.getByLabel('Total is doubtful below').fill('0.95');
      await toEnd(page);
    },
  },
  {
    name: 'workflow-trial',
    person: ADMINISTRATOR,
    open: async (page, at) => {
      await to(page, at, '/workflows/receipt');
      const settings = page.getByRole('region', { name: 'Settings of the company' });
      await settings.getByLabel('Label of Total for your people').fill('Amount due');
      await settings.getByLabel('Total is doubtful below').fill('1');
      await tried(page);
    },
  },
  {
    name: 'evaluation',
    person: ADMINISTRATOR,
    open: async (page, at) => {
      await to(page, at, '/workflows/receipt');
      await page.getByRole('button', { name: 'Evaluate…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Evaluate', exact: true }).click();
      await page.getByText('Completed', { exact: true }).waitFor();
    },
  },
  {
    name: 'operations',
    person: OPERATOR,
    open: async (page, at) => {
      await to(page, at, '/operations');
      await page.getByRole('row').nth(3).waitFor();
    },
  },
];
