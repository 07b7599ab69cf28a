import { useRef, useState } from 'preact/hooks';
import type { Fault } from '../../../client/api.ts';
import { api } from '../../app/api.ts';
import { useAction, useResource } from '../../app/resource.ts';
import { useStore } from '../../app/store.ts';
import { drafts, keep } from './drafts.ts';
import { parsed, placeIn, type Unchecked } from './faults.tsx';
import { START } from './form/definition.ts';
import { isWithin } from './form/editing.ts';
import { PATH } from './path.ts';
import type { Checked } from './publish.tsx';

/** A definition as its JSON is written. */
export const written = (definition: object): string => JSON.stringify(definition, null, 2);

/** The JSON of a new workflow. */
export const BLANK = written(START);

const readDefinition = async (slug: string, version: number, signal?: AbortSignal) =>
  (await api.get(`${PATH}/{slug}/versions/{version}`, { path: { slug, version }, signal })).definition;

/**
 * The definition that is begun with: of a version of the workflow, by default the newest; none of a new one.
 */
export const useBase = (slug: string, version: string | null) =>
  useResource(slug === '' ? null : `${slug}/${version}`, async (signal) => {
    const path = { slug };
    const newest = async () =>
      (await api.get(`${PATH}/{slug}/versions`, { path, query: { limit: 1 }, signal })).data[0]?.version;
    const from = Number(version ?? (await newest()));
    return written(await readDefinition(slug, from, signal));
  });

/** What the definition says is checked by the service; what it would replace comes with it. */
const check = async (definition: Unchecked): Promise<Checked> => {
  const checked = await api.post(`${PATH}/check`, { body: { definition } });
  const { version } = checked;
  if (version === 1) return { ...checked, before: null };
  return { ...checked, before: await readDefinition(checked.definition.slug, version - 1) };
};

const NONE: readonly string[] = [];

/** A definition as it is typed and checked. */
export const useDraft = (slug: string, base: string | null) => {
  const text = useStore(drafts)[slug] ?? base ?? BLANK;
  const [checked, setChecked] = useState<Checked | null>(null);
  const [isPublishing, setPublishing] = useState(false);
  /** Where it was changed since the check whose faults are shown. */
  const [changed, setChanged] = useState(NONE);
  const { isRunning, problem, start, clear } = useAction();
  /** As it stands when an answer comes, not when it was asked. */
  const typed = useRef(text);
  typed.current = text;
  const put = (next: string): void => {
    setChecked(null);
    keep(slug, next);
  };
  const type = (next: string): void => {
    put(next);
    clear();
  };
  const change = (next: Unchecked, pointer: string | null): void => {
    put(written(next));
    if (pointer === null) clear();
    else setChanged([...changed, pointer]);
  };
  const run = async (thenPublish: boolean): Promise<void> => {
    setChanged(NONE);
    await start(async () => {
      const found = await check(parsed(text));
      if (typed.current !== text) return;
      setChecked(found);
      setPublishing(thenPublish);
    });
  };
  const faults: readonly Fault[] = (problem?.errors ?? []).filter(
    (fault) => !changed.some((pointer) => isWithin(placeIn(fault), pointer)),
  );
  const endPublishing = (): void => setPublishing(false);
  return { text, typed, type, change, run, isRunning, problem, faults, checked, isPublishing, endPublishing };
};
