import { element, service } from './service.ts';

/** How long typing must rest before it is looked for, in milliseconds. */
const REST_MS = 150;

/** Shows what a search finds as one types, below the field; `/` leads to the field. */
export const searchAsTyped = (): void => {
  const field = document.querySelector<HTMLInputElement>('nav input[type=search]');
  if (!field) return;
  const found = element('div', { class: 'found', 'aria-live': 'polite' });
  field.form?.after(found);
  let asked = 0;
  const look = async (): Promise<void> => {
    asked += 1;
    const own = asked;
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    if (own !== asked) return;
    const list = field.value.trim() === '' ? null : await listFor(field.value);
    if (own === asked) found.replaceChildren(...(list ? [list] : []));
  };
  field.addEventListener('input', () => void look());
  document.addEventListener('keydown', (event) => onKey(event, field, found));
};

/** The list of the page that the service has for a question. */
const listFor = async (question: string): Promise<Element> => {
  const address = `${service}/docs/search?q=${encodeURIComponent(question)}`;
  const answer = await fetch(address, { credentials: 'omit' }).catch(() => null);
  const text = answer?.ok ? await answer.text() : '';
  const list = new DOMParser().parseFromString(text, 'text/html').querySelector('#found');
  for (const link of list?.querySelectorAll('a') ?? [])
    link.href = new URL(link.getAttribute('href') ?? '', address).href;
  return list ?? element('p', {}, 'The search did not answer.');
};

const onKey = (event: KeyboardEvent, field: HTMLInputElement, found: HTMLElement): void => {
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea') !== null;
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) field.focus();
  else if (event.key === 'ArrowDown' && event.target === field) found.querySelector('a')?.focus();
  else return;
  event.preventDefault();
};
