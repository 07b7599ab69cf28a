import { seeded } from '../nodes/random.ts';

export type Files = ReadonlyMap<string, Buffer>;

/** A package with one change in it: which files are no longer what they were, and in words. */
type Change = Readonly<{ files: Files; paths: readonly string[]; what: string }>;

/** Random changes of a package, each of the package as it was; the seed tells them beforehand. */
export const changes = function* (whole: Files, seed: number, count: number): Generator<Change> {
  const random = seeded(seed);
  const below = (most: number): number => Math.floor(random.next() * most);
  const kinds = [...bytewise(below), ...linewise(below), ...filewise()];
  for (let made = 0; made < count; ) {
    const path = random.pick([...whole.keys()]);
    const kind = random.pick(kinds);
    const change = kind(whole, path, whole.get(path) ?? Buffer.alloc(0));
    if (change === null) continue;
    made += 1;
    yield change;
  }
};

type Kind = (whole: Files, path: string, bytes: Buffer) => Change | null;
type Below = (most: number) => number;

const replaced = (whole: Files, path: string, bytes: Buffer, what: string): Change | null =>
  whole.get(path)?.equals(bytes)
    ? null
    : { files: new Map([...whole, [path, bytes]]), paths: [path], what: `${what} in ${path}` };

const bytewise = (below: Below): readonly Kind[] => [
  (whole, path, bytes) => {
    const [at, bit] = [below(bytes.length), below(8)];
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ (1 << bit);
    return replaced(whole, path, changed, `bit ${bit} of byte ${at} flipped`);
  },
  (whole, path, bytes) => {
    const at = below(bytes.length);
    const changed = Buffer.from(bytes);
    changed[at] = below(256);
    return replaced(whole, path, changed, `byte ${at} replaced`);
  },
  (whole, path, bytes) => {
    const at = below(bytes.length + 1);
    const changed = Buffer.concat([bytes.subarray(0, at), Buffer.of(below(256)), bytes.subarray(at)]);
    return replaced(whole, path, changed, `a byte inserted at ${at}`);
  },
  (whole, path, bytes) => {
    const at = below(bytes.length);
    return replaced(
      whole,
      path,
      Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
      `byte ${at} removed`,
    );
  },
  (whole, path) => replaced(whole, path, Buffer.alloc(0), 'all removed'),
];

const linewise = (below: Below): readonly Kind[] => {
  const edit =
    (what: string, change: (lines: string[], at: number) => void): Kind =>
    (whole, path, bytes) => {
      const lines = bytes.toString().split(/(?<=\n)/);
      const at = below(lines.length);
      change(lines, at);
      return replaced(whole, path, Buffer.from(lines.join('')), `line ${at} ${what}`);
    };
  return [
    edit('removed', (lines, at) => void lines.splice(at, 1)),
    edit('doubled', (lines, at) => void lines.splice(at, 0, lines[at] ?? '')),
    edit(
      'swapped with the next',
      (lines, at) => void lines.splice(at, 2, ...lines.slice(at, at + 2).reverse()),
    ),
  ];
};

const filewise = (): readonly Kind[] => [
  (whole, path) => {
    const files = new Map(whole);
    files.delete(path);
    return { files, paths: [path], what: `${path} removed` };
  },
  (whole, path, bytes) => {
    const files = new Map(whole);
    files.delete(path);
    return { files: files.set(`${path}~`, bytes), paths: [path], what: `${path} renamed` };
  },
  (whole, path, bytes) => {
    const added = `files/${path.replaceAll('/', '-')}`;
    return { files: new Map([...whole, [added, bytes]]), paths: [added], what: `${added} added` };
  },
];
