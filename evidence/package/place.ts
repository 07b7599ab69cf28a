import { randomBytes } from 'node:crypto';
import { lstatSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PackageRefused } from './sink.ts';

/** A name beside the package's own, to write under. Throws `PackageRefused` when the package's own is taken, or its folder is not there. */
export const draftOf = (path: string): string => {
  const whole = resolve(path);
  const folder = dirname(whole);
  if (lstatSync(whole, { throwIfNoEntry: false }))
    throw new PackageRefused(`${path} is there already: name another place.`);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new PackageRefused(`There is no folder ${folder} to write to.`);
  return `${whole}.${randomBytes(4).toString('hex')}.part`;
};
