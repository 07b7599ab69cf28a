import { base } from './app/router.ts';
import type english from './texts.en.json';

/** A text for each category of `Intl.PluralRules` that its language has. */
type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** The language of the page, and of its texts. */
export const language = document.documentElement.lang;

const read = async (): Promise<typeof english> => {
  const answer = await fetch(`${base}/console/texts.${language}.json`);
  if (!answer.ok) throw new Error(`The texts of the console could not be loaded: ${answer.status}`);
  return answer.json();
};

/** Of the one failure for which there can be no text of that file. */
const failed = (error: unknown): never => {
  document.body.append('This page could not be loaded: load it again.');
  throw error;
};

/** Every text of the console, in the language of the page: a translation is another file of this form. */
export const texts: typeof english = await read().catch(read).catch(failed);

const rules = new Intl.PluralRules(language);

/** A text with a value for each of its `{name}`s. `count` chooses among the forms of a plural. */
export const say = (text: string | Plural, values: Readonly<Record<string, string | number>>): string => {
  const form = typeof text === 'string' ? text : (text[rules.select(Number(values.count))] ?? text.other);
  return form.replaceAll(/\{(\w+)\}/g, (name, key: string) => String(values[key] ?? name));
};
