import { type Files, filesOf } from '../engine/files.ts';

/** The module that a page of the console starts with, as it is compiled. */
export const MAIN = 'app/main.js';

/** `main`, `style` and `work` are the first module, the style sheet and the screens that most people begin with. */
export type ConsoleFiles = Readonly<{ files: Files; main: string; style: string; work: string | null }>;

/**
 * The files of the folder that the console was compiled to, by their addresses below `/console/`; null where that was
 * not done. Names have a hash of what is in the file.
 */
export const consoleFiles = (folder: string): ConsoleFiles | null => {
  const files = filesOf(folder);
  const named = (form: RegExp): string | null => [...files.keys()].find((path) => form.test(path)) ?? null;
  const [main, style] = [named(/^app\/main-\w{8}\.js$/), named(/^style-\w{8}\.css$/)];
  return main && style ? { files, main, style, work: named(/^modules\/work-\w{8}\.js$/) } : null;
};
