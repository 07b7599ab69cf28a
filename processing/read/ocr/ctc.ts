/** A character that was read: its confidence (0..1), and the step (from 0) at which it is surest. */
export type Character = Readonly<{ text: string; confidence: number; step: number }>;

/**
 * The characters of a line by connectionist temporal classification: of each step the likeliest, of equal
 * neighbours one. `likelihoods` has for each step that of none and of each of the characters.
 */
export const charactersOf = (
  likelihoods: Float32Array,
  characters: readonly string[],
): readonly Character[] => {
  const classes = characters.length + 1;
  const read: Character[] = [];
  let before = 0;
  for (let step = 0; step * classes < likelihoods.length; step += 1) {
    const start = step * classes;
    let best = 0;
    for (let at = 1; at < classes; at += 1)
      if ((likelihoods[start + at] ?? 0) > (likelihoods[start + best] ?? 0)) best = at;
    const confidence = likelihoods[start + best] ?? 0;
    const last = read.at(-1);
    if (best !== 0 && best !== before) read.push({ text: characters[best - 1] ?? '', confidence, step });
    else if (best !== 0 && last && confidence > last.confidence)
      read[read.length - 1] = { ...last, confidence, step };
    before = best;
  }
  return read;
};
