import { lstat, opendir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile } from '../../schemas/ajv.ts';
import { documentText } from '../format.ts';
import type { PublicKey } from '../keys.ts';
import { openPackage } from '../package/open.ts';
import { NoPackage } from '../package/source.ts';
import { parsed } from '../verify/json.ts';
import { sentenceOf } from '../verify/sentences.ts';
import type { ToldFinding } from '../verify/told.ts';
import { verifyPackage } from '../verify.ts';
import { fileDigest, linesOf } from './folder.ts';
import { type Entry, INDEX, INDEX_SIGNATURE, Index, LIST } from './format.ts';

/**
 * The result of a check. `index` can be trusted only without findings. `refused`: submissions without a
 * package, as the exporter says; `redacted`: how many of them a redaction removed something of.
 */
export type CollectionVerdict = Readonly<{
  index: Index | null;
  findings: readonly ToldFinding[];
  refused: readonly Entry[];
  redacted: number;
}>;

/** Whether a folder is a collection, or what is left of one. */
export const isCollection = async (path: string): Promise<boolean> =>
  (await Promise.all([INDEX, INDEX_SIGNATURE, LIST].map((name) => isFile(join(path, name))))).includes(true);

/**
 * Checks a collection with nothing but a public key: the signed index, that each package is there, and
 * nothing else, and each package as `verifyPackage` does. Where the index does not hold no package is looked
 * at, since nothing says which there must be.
 */
export const verifyCollection = async (
  folder: string,
  key: PublicKey,
  onProgress: (done: number, total: number) => void,
): Promise<CollectionVerdict> => {
  const { index, findings: ofIndex } = await readIndex(folder, key);
  if (!index || ofIndex.length > 0) return { index, findings: ofIndex, refused: [], redacted: 0 };
  const findings: ToldFinding[] = [];
  const refused: Entry[] = [];
  let [done, redacted] = [0, 0];
  for await (const entry of linesOf<Entry>(join(folder, LIST))) {
    if (entry.refused === null) {
      const verdict = await verifyEntry(folder, entry, key);
      findings.push(...verdict.findings);
      if (verdict.isRedacted) redacted += 1;
    } else refused.push(entry);
    done += 1;
    onProgress(done, index.count);
  }
  for await (const name of unlisted(folder))
    findings.push(found(name, 'was added: the list does not name it'));
  return { index, findings, refused, redacted };
};

const found = (file: string, detail: string): ToldFinding => ({
  ...{ file, detail },
  ...{ event: null, pointer: null, manifest: null },
});

const MAX_INDEX = 65_536;

const readIndex = async (folder: string, key: PublicKey) => {
  const none = (file: string, detail: string) => ({ index: null, findings: [found(file, detail)] });
  for (const name of [INDEX, INDEX_SIGNATURE, LIST])
    if (!(await isFile(join(folder, name)))) return none(name, 'is missing');
  for (const name of [INDEX, INDEX_SIGNATURE])
    if ((await lstat(join(folder, name))).size > MAX_INDEX)
      return none(name, 'is larger than any that is made');
  const text = await readFile(join(folder, INDEX), 'utf8');
  const read = parsed<Index>(text, compile(Index));
  if ('fault' in read) return none(INDEX, `is no index of a known version: ${sentenceOf(read.fault)}`);
  const index = read.value;
  const signature = await readFile(join(folder, INDEX_SIGNATURE), 'utf8');
  const bytes = Buffer.from(signature, 'base64');
  const isSigned = `${bytes.toString('base64')}\n` === signature && key.holds(Buffer.from(text), bytes);
  const { size, sha256 } = await fileDigest(join(folder, LIST));
  const findings = [
    ...(index.key === key.id
      ? []
      : [found(INDEX, `it was signed with the key ${index.key}, the key given is ${key.id}`)]),
    ...(isSigned && documentText(index) === text
      ? []
      : [
          found(
            INDEX,
            `${INDEX_SIGNATURE} does not sign it with the key ${key.id}: one of the two was changed`,
          ),
        ]),
    ...(index.list.size === size && index.list.sha256 === sha256
      ? []
      : [found(LIST, 'is not the list that the index names: it was changed')]),
  ];
  return { index, findings };
};

const verifyEntry = async (
  folder: string,
  { submissionId, file, sha256 }: Extract<Entry, { refused: null }>,
  key: PublicKey,
): Promise<Readonly<{ findings: readonly ToldFinding[]; isRedacted: boolean }>> => {
  const path = join(folder, file);
  if (!(await isFile(path))) return { findings: [found(file, 'is missing')], isRedacted: false };
  const isListed = (await fileDigest(path)).sha256 === sha256;
  const changed = isListed ? [] : [found(file, 'is not the package that the list names: it was changed')];
  try {
    const source = await openPackage(path);
    const verdict = await verifyPackage(source, key).finally(source.close);
    const within = verdict.findings.map((one) => ({ ...one, file: `${file}/${one.file}` }));
    const isOther = verdict.manifest !== null && verdict.manifest.submissionId !== submissionId;
    const other = isOther ? [found(file, `is the package of ${verdict.manifest.submissionId}`)] : [];
    return { findings: [...changed, ...other, ...within], isRedacted: verdict.redacted.length > 0 };
  } catch (error) {
    if (!(error instanceof NoPackage)) throw error;
    return { findings: [...changed, found(file, error.message)], isRedacted: false };
  }
};

/** So many names are compared with the list at once: a folder may have any number. */
const BATCH = 10_000;

/** What a folder has that no collection has, or that its list does not name. */
const unlisted = async function* (folder: string): AsyncGenerator<string> {
  let names = new Set<string>();
  const rest = async (): Promise<readonly string[]> => {
    for await (const { file } of linesOf<Entry>(join(folder, LIST))) names.delete(file ?? '');
    const found = [...names].sort();
    names = new Set();
    return found;
  };
  for await (const { name } of await opendir(folder)) {
    if (![INDEX, INDEX_SIGNATURE, LIST].includes(name)) names.add(name);
    if (names.size >= BATCH) yield* await rest();
  }
  yield* await rest();
};

const isFile = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isFile() ?? false;
