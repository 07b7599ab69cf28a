import type { Locator, Page } from 'playwright-core';
import { receiptDefinition } from '../support/definition.ts';
import type { World } from './world.ts';

/** Shows a view of the editor. */
export const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name }).click();
/** The JSON of the editor, in its view. */
export const json = (page: Page): Locator => page.getByLabel('Definition (JSON)');
/** A definition as the editor writes it. */
export const write = (definition: object): string => JSON.stringify(definition, null, 2);

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
