import { type Files, filesOf } from '../engine/files.ts';

/** The module that a page of the console starts with, as it is compiled. */
export const MAIN = 'frame/main.js';

/** The language that each text is written in first, of a page for who reads none that is here. */
export const ORIGINAL = 'en';

/** The script that runs before the modules have arrived. */
export const EARLY = 'app/early.js';

/**
 * `main` is the first module, `early` the script before it, `style` the style sheet, `texts` the texts by
 * their languages.
 */
export type ConsoleFiles = Readonly<{
  files: Files;
  main: string;
  early: string;
  style: string;
  texts: ReadonlyMap<string, string>;
}>;

/**
 * The files of the folder that the console was compiled to, by their addresses below `/console/`; null where
 * that was not done. Names have a hash of what is in the file.
 */
export const consoleFiles = (folder: string): ConsoleFiles | null => {
  const files = filesOf(folder);
  const [main, early, style] = NAMES.map((form) => [...files.keys()].find((path) => form.test(path)));
  const texts = new Map(
    [...files.keys()].flatMap((path) => {
      const language = TEXTS.exec(path)?.[1];
      return language === undefined ? [] : [[language, path] as const];
    }),
  );
  return main && early && style && texts.has(ORIGINAL) ? { files, main, early, style, texts } : null;
};

const TEXTS = /^texts\.([\w-]+)-\w{8}\.json$/;
const NAMES = [/^frame\/main-\w{8}\.js$/, /^app\/early-\w{8}\.js$/, /^style-\w{8}\.css$/];
