const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Where each value of a JSON text begins, by JSON Pointer. `text` is valid JSON. */
const placesOf = (text: string): ReadonlyMap<string, number> => {
  const places = new Map<string, number>();
  const tokens = [...text.matchAll(TOKEN)];
  let at = 0;
  const is = (wanted: string): boolean => at >= tokens.length || tokens[at]?.[0] === wanted;
  const members = (end: string, pointerOf: (index: number) => string): void => {
    for (let index = 0; !is(end); index += 1) {
      read(pointerOf(index));
      if (is(',')) at += 1;
    }
    at += 1;
  };
  const named = (pointer: string): string => {
    const name = JSON.parse(tokens[at]?.[0] ?? '""') as string;
    at += 2;
    return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  };
  const read = (pointer: string): void => {
    const token = tokens[at];
    places.set(pointer, token?.index ?? 0);
    at += 1;
    if (token?.[0] === '{') members('}', () => named(pointer));
    if (token?.[0] === '[') members(']', (index) => `${pointer}/${index}`);
  };
  read('');
  return places;
};

/**
 * Where the value of a JSON Pointer begins, or of the next one above it that is there, and its line from 1.
 */
export const placeOf = (text: string, pointer: string): Readonly<{ offset: number; line: number }> => {
  const places = placesOf(text);
  let known = pointer;
  while (known !== '' && !places.has(known)) known = known.slice(0, known.lastIndexOf('/'));
  const offset = places.get(known) ?? 0;
  return { offset, line: text.slice(0, offset).split('\n').length };
};
