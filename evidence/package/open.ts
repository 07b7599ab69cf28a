import { stat } from 'node:fs/promises';
import { folderSource } from './folderSource.ts';
import { NoPackage, type Source } from './source.ts';
import { zipSource } from './zipSource.ts';

/** Opens a package to be read, a folder or a zip file; close it. Throws `NoPackage`. */
export const openPackage = async (path: string): Promise<Source> => {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new NoPackage(
      error.code === 'ENOENT' ? `There is no ${path}.` : `${path} can’t be read: ${error.message}.`,
    );
  });
  return found.isDirectory() ? folderSource(path) : zipSource(path);
};
