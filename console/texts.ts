import { base } from './app/router.ts';
import type english from './texts.en.json';

/** A text for each category of `Intl.PluralRules` that its language has. */
type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

const { lang: language, dataset } = document.documentElement;

/** In which numbers and times are written: the browser's own form of the language of the page. */
export const locale =
  navigator.languages.find((one) => one === language || one.startsWith(`${language}-`)) ?? language;

const read = async (): Promise<typeof english> => {
  const answer = await fetch(`${base}/console/${dataset.texts}`);
  if (!answer.ok) throw new Error(`The texts of the console could not be loaded: ${answer.status}`);
  return answer.json();
};

/** Of the one failure whose text can't come from that file: the page has it. */
const failed = (error: unknown): never => {
  document.body.append(dataset.failed ?? '');
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
