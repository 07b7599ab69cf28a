/** Calls `make` on the first call only. A promise is kept also when it is rejected. */
export const once = <T extends object>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** Calls `make` once for each object, for as long as the object is there. */
export const onceFor = <K extends object, T extends object>(make: (of: K) => T): ((of: K) => T) => {
  const made = new WeakMap<K, T>();
  return (of) => {
    const known = made.get(of) ?? make(of);
    made.set(of, known);
    return known;
  };
};

/** Calls `make` unless a call is under way: all callers until its end share its outcome. */
export const shared = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= make().finally(() => {
      underWay = null;
    });
    return underWay;
  };
};

/** The same for each argument that `keyOf` names alike. */
export const sharedBy = <A, T>(
  keyOf: (of: A) => string,
  make: (of: A) => Promise<T>,
): ((of: A) => Promise<T>) => {
  const underWay = new Map<string, Promise<T>>();
  return (of) => {
    const key = keyOf(of);
    const made = underWay.get(key) ?? make(of).finally(() => underWay.delete(key));
    underWay.set(key, made);
    return made;
  };
};
