import { element } from './service.ts';

/** Where the browser keeps the language that the reader has chosen. */
const PLACE = 'intake-docs-language';

/** Shows the samples of one language, and lets the reader choose it; the browser remembers. */
export const offerLanguages = (): void => {
  for (const samples of document.querySelectorAll<HTMLElement>('.samples')) {
    const names = figuresOf(samples).map(({ dataset }) => dataset.language ?? '');
    const buttons = names.map((name) => {
      const button = element('button', { type: 'button', 'data-language': name }, name);
      button.addEventListener('click', () => choose(name, button));
      return button;
    });
    samples.prepend(
      element(
        'div',
        { class: 'languages', role: 'group', 'aria-label': 'Language of the samples' },
        ...buttons,
      ),
    );
    samples.classList.add('one');
  }
  show(remembered());
};

const figuresOf = (samples: ParentNode): readonly HTMLElement[] => [
  ...samples.querySelectorAll<HTMLElement>('figure[data-language]'),
];

/** What was clicked stays where it is, though all samples above it change their height. */
const choose = (name: string, button: HTMLElement): void => {
  const before = button.getBoundingClientRect().top;
  show(name);
  scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
  try {
    localStorage.setItem(PLACE, name);
  } catch {
    // The browser keeps nothing: the choice is that of this page alone.
  }
};

const show = (name: string): void => {
  const known = figuresOf(document);
  const shown = known.some(({ dataset }) => dataset.language === name) ? name : known[0]?.dataset.language;
  for (const figure of known) figure.hidden = figure.dataset.language !== shown;
  for (const button of document.querySelectorAll<HTMLElement>('.languages button'))
    button.setAttribute('aria-pressed', String(button.dataset.language === shown));
};

const remembered = (): string => {
  try {
    return localStorage.getItem(PLACE) ?? '';
  } catch {
    return '';
  }
};
