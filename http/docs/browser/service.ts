/**
 * The address of the service for the reader, without a slash at its end: of it this script is `docs/page.js`.
 */
export const service = new URL('..', import.meta.url).href.replace(/\/$/, '');

/** An element with attributes and content. */
export const element = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
};
