import { type Files, filesOf } from '../engine/files.ts';

/** The module that a page of the console starts with, as it is compiled. */
export const MAIN = 'frame/main.js';

/** The script that runs before the modules have arrived. */
export const EARLY = 'app/early.js';

/** `main` is the first module, `early` the script before it, `style` the style sheet. */
export type ConsoleFiles = Readonly<{ files: Files; main: string; early: string; style: string }>;

/**
 * The files of the folder that the console was compiled to, by their addresses below `/console/`; null where
 * that was not done. Names have a hash of what is in the file.
 */
export const consoleFiles = (folder: string): ConsoleFiles | null => {
  const files = filesOf(folder);
  const [main, early, style] = NAMES.map((form) => [...files.keys()].find((path) => form.test(path)));
  return main && early && style ? { files, main, early, style } : null;
};

const NAMES = [/^frame\/main-\w{8}\.js$/, /^app\/early-\w{8}\.js$/, /^style-\w{8}\.css$/];
