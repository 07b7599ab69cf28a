/** `make`, called once for each key: its answer is kept. For prepared statements, whose texts are few. */
export const memoize = <V>(make: (key: string) => V): ((key: string) => V) => {
  const known = new Map<string, V>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
};
