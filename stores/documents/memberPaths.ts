import type { Scalar } from './port.ts';

/** The members of a dotted path. Throws for any other text, so that no driver needs to quote one. */
export const membersOf = (path: string): readonly string[] => {
  if (!/^[\w$-]+(\.[\w$-]+)*$/.test(path)) throw new Error(`not a path of members: ${path}`);
  return path.split('.');
};

/** Reads the value that documents have at a path; null where one has none. */
export const readerOf = (path: string): ((document: unknown) => Scalar) => {
  const members = membersOf(path);
  return (document) => {
    const value = members.reduce(member, document);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : null;
  };
};

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : null;
