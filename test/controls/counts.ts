/** Counts in memory, in one window that never ends. */
const memoryCount = () => {
  const counts = new Map<string, number>();
  return async (who: string) => {
    const count = (counts.get(who) ?? 0) + 1;
    counts.set(who, count);
    return { count, remainingMs: 60_000 };
  };
};

/** What all nodes count together, counted here. */
export const memoryCounts = () => ({
  webhookTest: memoryCount(),
  evidenceExport: memoryCount(),
  invitation: memoryCount(),
});
