import type { Locator, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { receiptDefinition } from '../support/definition.ts';
import { assertAccessible } from './browser.ts';
import type { World } from './world.ts';

/** Shows a view of the editor. */
export const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name }).click();
const json = (page: Page): Locator => page.getByLabel('Definition (JSON)');
const write = (definition: object): string => JSON.stringify(definition, null, 2);

/** Types a definition, or what is none, as JSON; the page shows the form again. */
export const fill = async (page: Page, definition: object | string): Promise<void> => {
  await tab(page, 'JSON');
  await json(page).fill(typeof definition === 'string' ? definition : write(definition));
  await tab(page, 'Form');
};

/** What the JSON has now; the page shows the form again. */
export const definitionIn = async (page: Page) => {
  await tab(page, 'JSON');
  const definition = JSON.parse(await json(page).inputValue());
  await tab(page, 'Form');
  return definition;
};

/** The form of a new version of a new workflow. */
export const editing = async (world: World, slug: string, more: object = {}) => {
  await world.service.company({ ...receiptDefinition, slug, ...more });
  const opened = await world.pageOf(null, 'super_admin', `/console/workflows/${slug}/edit`);
  await opened.page.getByRole('heading', { name: 'Fields' }).waitFor();
  return { ...opened, definition: await definitionIn(opened.page) };
};

/** The names of the fields of a definition. */
export const namesOf = ({ outputSchema }: { outputSchema: readonly { name: string }[] }) =>
  outputSchema.map(({ name }) => name);

/** Waits until a control has the focus. */
export const focused = (control: Locator): Promise<void> =>
  control.and(control.page().locator(':focus')).waitFor();

/** What a control is described by: its fault. */
export const described = async (control: Locator): Promise<string> =>
  String(
    await control.evaluate(
      (element: {
        getAttribute(name: string): string;
        ownerDocument: { getElementById(id: string): { textContent: string } };
      }) => element.ownerDocument.getElementById(element.getAttribute('aria-describedby')).textContent,
    ),
  );

/** Holds a screen to accessibility at 390 px in both schemes, without scrolling to the side. */
export const onPhone = async (page: Page): Promise<void> => {
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 390, height: 844 });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await assertAccessible(page, `390 px, ${colorScheme}`);
  }
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 390);
  await page.setViewportSize(before);
};
