/** Does a thing for a name, but not again within so many milliseconds after it has succeeded. */
export const onceInAWhile = (
  whileMs: number,
  act: (name: string) => Promise<void>,
): ((name: string) => Promise<void>) => {
  const done = new Map<string, number>();
  return async (name) => {
    if (performance.now() - (done.get(name) ?? Number.NEGATIVE_INFINITY) < whileMs) return;
    await act(name);
    done.set(name, performance.now());
  };
};
