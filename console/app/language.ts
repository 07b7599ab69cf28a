import { base } from './router.ts';

/** The languages that the console has texts in, as the page names them. */
export const languages: readonly string[] = document.documentElement.dataset.languages?.split(' ') ?? [];

const YEAR = 31_536_000;

/** What a language is called in itself, such as Deutsch. */
export const ownName = (language: string): string => {
  const [first = '', ...rest] =
    new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return first.toLocaleUpperCase(language) + rest.join('');
};

/** Takes a language, also for the next time, and loads the page in it: the service reads the choice. */
export const chooseLanguage = (language: string): void => {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the service reads it with the page, before any script runs
  document.cookie = `intake-language=${language}; Path=${base || '/'}; Max-Age=${YEAR}; SameSite=Lax${secure}`;
  window.location.reload();
};
