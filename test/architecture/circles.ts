type Arrow = Readonly<{ from: string; to: string }>;

/** The circles of imports: the files of each, every one of which reaches all others, and itself. */
export const circlesOf = (arrows: readonly Arrow[]): readonly (readonly string[])[] => {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of arrows) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const reachedFrom = (start: string): ReadonlySet<string> => {
    const reached = new Set(targets.get(start));
    for (const path of reached) for (const to of targets.get(path) ?? []) reached.add(to);
    return reached;
  };
  const reached = new Map([...targets.keys()].map((path) => [path, reachedFrom(path)] as const));
  const circles = [...reached]
    .filter(([path, others]) => others.has(path))
    .map(([path, others]) => [...others].filter((other) => reached.get(other)?.has(path)).sort());
  return [...new Map(circles.map((circle) => [circle[0], circle])).values()];
};
