import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { startKeptDemo } from './demo/kept.ts';
import { print } from './named.ts';
import { type Shot, shots } from './screenshots/shots.ts';

// `npm run screenshots [NAME …]`: the pictures of docs/console.md, made of the demo in the Chromium of the
// machine (CHROMIUM names another than Debian's).
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FOLDER = 'docs/console';

const WAYS = [
  { suffix: '', colorScheme: 'light', viewport: { width: 1_280, height: 800 } },
  { suffix: '-dark', colorScheme: 'dark', viewport: { width: 1_280, height: 800 } },
  { suffix: '-narrow', colorScheme: 'light', viewport: { width: 400, height: 800 } },
] as const;

const main = async (): Promise<void> => {
  const names = process.argv.slice(2);
  const chosen = shots.filter(({ name }) => names.length === 0 || names.includes(name));
  const demo = await startKeptDemo();
  try {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      if (names.length === 0) rmSync(FOLDER, { recursive: true, force: true });
      mkdirSync(FOLDER, { recursive: true });
      for (const shot of chosen) await take(browser, demo.address, shot);
    } finally {
      await browser.close();
    }
  } finally {
    await demo.stop();
  }
  const bytes = readdirSync(FOLDER).reduce((sum, file) => sum + statSync(join(FOLDER, file)).size, 0);
  print(`${FOLDER} has ${Math.round(bytes / 1_000)} kB`);
};

/** One screen in both schemes, and as a telephone shows it. */
const take = async (browser: Browser, address: string, { name, person, open }: Shot): Promise<void> => {
  for (const { suffix, ...options } of WAYS) {
    const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await logIn(page, address, person);
    await open(page, new URL(page.url()));
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    const path = join(FOLDER, `${name}${suffix}.webp`);
    await sharp(await page.screenshot())
      .webp({ quality: 80, effort: 6 })
      .toFile(path);
    await context.close();
    print(path);
  }
};

const logIn = async (page: Page, address: string, person: string): Promise<void> => {
  await page.goto(address);
  await page.getByRole('button', { name: person }).click();
  await page.waitForURL(/\/console/);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

await main();
