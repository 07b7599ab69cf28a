import { constants, type Dirent } from 'node:fs';
import { lstat, open, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FOLDERS } from '../format.ts';
import { MAX_FILES } from '../sizes.ts';
import { NoPackage, type Source, type SourceEntry } from './source.ts';
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

const BLOCK_BYTES = 512;

/**
 * A package in a folder. Links are not followed, and of folders only those are read that a package
 * has.
 */
const folderSource = async (folder: string): Promise<Source> => {
  const entries: SourceEntry[] = [];
  const unexpected: { path: string; detail: string }[] = [];
  const note = async (path: string, found: Dirent): Promise<void> => {
    if (!found.isFile()) {
      unexpected.push({ path, detail: `is ${kindOf(found)}: a package has files only` });
      return;
    }
    const { size, blocks } = await lstat(join(folder, path));
    entries.push({ path, size, storedSize: blocks * BLOCK_BYTES });
  };
  const walk = async (within: string): Promise<void> => {
    for await (const found of await opendir(join(folder, within))) {
      const path = within === '' ? found.name : `${within}/${found.name}`;
      if (within === '' && found.isDirectory() && FOLDERS.includes(path)) await walk(path);
      else await note(path, found);
      if (entries.length + unexpected.length > MAX_FILES)
        throw new NoPackage(`${folder} holds more than ${MAX_FILES} files.`);
    }
  };
  await walk('');
  return { entries, unexpected, read: (path) => bytesOf(join(folder, path)), close: async () => undefined };
};

const bytesOf = async function* (path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    yield* file.createReadStream({ autoClose: false });
  } finally {
    await file.close();
  }
};

const kindOf = (found: Dirent): string => {
  if (found.isSymbolicLink()) return 'a link';
  return found.isDirectory() ? 'a folder' : 'no file';
};
