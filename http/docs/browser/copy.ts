import { element } from './service.ts';

/** How long a button says that it has copied, in milliseconds. */
const SAID_MS = 2_000;

/** Gives each block of code a button that copies it. */
export const offerCopies = (): void => {
  for (const block of document.querySelectorAll('main pre')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy');
    button.addEventListener('click', () => void copied(block, button));
    const frame = element('div', { class: 'code' });
    block.replaceWith(frame);
    frame.append(block, button);
  }
};

const copied = async (block: Element, button: HTMLButtonElement): Promise<void> => {
  const done = await copy(block);
  button.textContent = done ? 'Copied' : 'Press Ctrl+C';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SAID_MS);
};

/**
 * A page that came without encryption has no clipboard: there the block is selected, and copied as a reader
 * would.
 */
const copy = async (block: Element): Promise<boolean> => {
  const text = (block.textContent ?? '').trimEnd();
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection()?.selectAllChildren(block);
    return document.execCommand('copy');
  }
};
