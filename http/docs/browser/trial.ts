import { answerView, send } from './exchange.ts';
import { element, service } from './service.ts';
import { fieldsOf, type Operation, type Trial } from './trialFields.ts';

type Api = Readonly<{ paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }>;

/**
 * The key of the reader. It is here and in the fields for it, as long as the page is open, and nowhere else.
 */
let key = '';

let api: Promise<Api> | undefined;
const loadApi = (): Promise<Api> => {
  api ??= fetch(`${service}/openapi.json`, { credentials: 'omit' }).then((answer) => answer.json());
  return api;
};

/** Lets the reader try each operation that a key may call. */
export const offerTrials = (): void => {
  for (const article of document.querySelectorAll<HTMLElement>('article[data-trial]')) {
    const button = element('button', { type: 'button', class: 'try', 'aria-expanded': 'false' }, 'Try it');
    const place = element('div', { class: 'trial' });
    button.addEventListener('click', () => void toggle(article, button, place));
    article.querySelector('.samples')?.after(button, place);
  }
};

const toggle = async (article: HTMLElement, button: HTMLElement, place: HTMLElement): Promise<void> => {
  if (place.childElementCount === 0) {
    try {
      place.append(formOf(trialOf(await loadApi(), article)));
    } catch {
      api = undefined;
      place.replaceChildren(element('p', {}, 'The service did not answer. Try again.'));
      return;
    }
  } else place.hidden = !place.hidden;
  button.setAttribute('aria-expanded', String(!place.hidden));
  if (!place.hidden) place.querySelector('input')?.focus();
};

const trialOf = ({ paths }: Api, article: HTMLElement): Trial => {
  const values = article.querySelector<HTMLElement>('.samples')?.dataset.values ?? '{}';
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === article.id)
        return { id: article.id, method, path, operation, examples: JSON.parse(values) };
  throw new Error(`the document has no ${article.id}`);
};

const formOf = (trial: Trial): HTMLElement => {
  const { fields, read } = fieldsOf(trial);
  const answer = element('div', { role: 'status' });
  const form = element('form', {}, keyField(trial.id), ...fields, element('button', {}, 'Send'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    answer.replaceChildren('Sending …');
    void send(trial, read(), key).then((outcome) => answer.replaceChildren(...answerView(outcome)));
  });
  return element('div', {}, form, answer);
};

/** It is no password to browsers, which would offer to keep it. */
const keyField = (id: string): HTMLElement => {
  const attributes = { class: 'key', type: 'text', autocomplete: 'off', spellcheck: 'false', required: '' };
  const input = element('input', { ...attributes, id: `${id}-key`, placeholder: 'aok_…' });
  input.value = key;
  input.addEventListener('input', () => {
    key = input.value.trim();
    for (const other of document.querySelectorAll<HTMLInputElement>('input.key'))
      if (other !== input) other.value = input.value;
  });
  const note = element('small', {}, 'Stays in this page, and goes to this service alone.');
  return element('p', {}, element('label', { for: `${id}-key` }, 'API key'), input, note);
};
