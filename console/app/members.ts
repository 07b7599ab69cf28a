/**
 * A member of an object whose names come from outside; undefined where it has none. A field may be named
 * `constructor`, which every object inherits.
 */
export const member = <T>(of: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined;
