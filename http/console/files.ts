import { type Files, filesOf } from '../engine/files.ts';

/** The module that a page of the console starts with. */
export const MAIN = 'frame/main.js';

/** The files of the folder that the console was compiled to, by their addresses below `/console/`; null where that was not done. */
export const consoleFiles = (folder: string): Files | null => {
  const files = filesOf(folder);
  return files.has(MAIN) ? files : null;
};
