/** `make` with a cache by key. For prepared statements and their parts, which are few. */
export const memoize = <V>(make: (key: string) => V): ((key: string) => V) => {
  const cache = new Map<string, V>();
  return (key) => {
    const value = cache.get(key) ?? make(key);
    cache.set(key, value);
    return value;
  };
};
