import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../app/api.ts';
import { useKeys } from '../../app/keys.ts';
import type { Problem } from '../../app/problem.ts';
import { useAction, useResource } from '../../app/resource.ts';
import { hrefOf, navigate } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { useStore } from '../../app/store.ts';
import { Button } from '../../parts/button.tsx';
import { FormField } from '../../parts/formField.tsx';
import { Notice, ProblemNotice, Skeleton } from '../../parts/notice.tsx';
import { Screen } from '../../parts/screen.tsx';
import { say, texts } from '../../texts.ts';
import { Agent } from './agent.tsx';
import { drafts, keep } from './drafts.ts';
import { Faults, parsed, type Unchecked } from './faults.tsx';
import { PATH } from './path.ts';
import { type Checked, Publish } from './publish.tsx';

const own = texts.workflows.editor;

const written = (definition: object): string => JSON.stringify(definition, null, 2);

const readDefinition = async (slug: string, version: number, signal?: AbortSignal) =>
  (await api.get(`${PATH}/{slug}/versions/{version}`, { path: { slug, version }, signal })).definition;

/**
 * The definition that is begun with: of a version of the workflow, by default the newest; none of a new one.
 */
const useBase = (slug: string, version: string | null) =>
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

/** A definition as it is typed and checked. */
const useDraft = (slug: string, base: string | null) => {
  const text = useStore(drafts)[slug] ?? base ?? '';
  const [checked, setChecked] = useState<Checked | null>(null);
  const [isPublishing, setPublishing] = useState(false);
  const { isRunning, problem, start, clear } = useAction();
  /** As it stands when an answer comes, not when it was asked. */
  const typed = useRef(text);
  typed.current = text;
  const type = (next: string): void => {
    setChecked(null);
    clear();
    keep(slug, next);
  };
  const run = async (thenPublish: boolean): Promise<void> => {
    await start(async () => {
      const found = await check(parsed(text));
      if (typed.current !== text) return;
      setChecked(found);
      setPublishing(thenPublish);
    });
  };
  return {
    text,
    typed,
    type,
    run,
    isRunning,
    problem,
    checked,
    isPublishing,
    endPublishing: () => setPublishing(false),
  };
};

/** Writes a version, with the agent's help, and publishes it after one look at what changes. */
const Editor = ({ parameters: { slug = '' }, query }: ScreenProps) => {
  const base = useBase(slug, query.get('version'));
  if (base.isLoading) return <Skeleton />;
  if (base.problem) return <ProblemNotice problem={base.problem} retry={base.reload} />;
  return <Form slug={slug} base={base.value} />;
};
export default Editor;

type FormProps = Readonly<{ slug: string; base: string | null }>;

const Form = ({ slug, base }: FormProps) => {
  const draft = useDraft(slug, base);
  const { text, type, problem, checked } = draft;
  const [before, setBefore] = useState<string | null>(null);
  const discard = (): void => {
    keep(slug, null);
    navigate(hrefOf(slug === '' ? '/workflows' : `/workflows/${slug}`));
  };
  const undo = (): void => {
    type(before ?? '');
    setBefore(null);
  };
  useKeys([{ key: 'Ctrl+Enter', text: own.publish, run: () => void draft.run(true) }]);
  return (
    <Screen title={slug === '' ? texts.workflows.new : say(own.title, { slug })}>
      <Agent
        current={() => (text.trim() === '' ? null : parsed(text))}
        onDraft={(made) => {
          setBefore(draft.typed.current);
          type(written(made));
        }}
        undo={before === null ? null : undo}
      />
      <Definition text={text} type={type} problem={problem} />
      {checked && !draft.isPublishing && (
        <Notice kind="good">{say(own.right, { version: checked.version })}</Notice>
      )}
      <Acts draft={draft} discard={discard} />
      {draft.isPublishing && checked && (
        <Publish checked={checked} onClose={draft.endPublishing} onPublished={() => keep(slug, null)} />
      )}
    </Screen>
  );
};

type ActsProps = Readonly<{ draft: ReturnType<typeof useDraft>; discard(): void }>;

const Acts = ({ draft: { isRunning, run }, discard }: ActsProps) => (
  <div class="actions">
    <Button class="primary" disabled={isRunning} onClick={() => void run(true)}>
      {own.publish}
    </Button>
    <Button disabled={isRunning} onClick={() => void run(false)}>
      {own.check}
    </Button>
    <Button onClick={discard}>{own.discard}</Button>
  </div>
);

type DefinitionProps = Readonly<{ text: string; type(text: string): void; problem: Problem | null }>;

/** The JSON of the definition, and below it what the service refuses. */
const Definition = ({ text, type, problem }: DefinitionProps) => {
  const area = useRef<HTMLTextAreaElement>(null);
  const errors = problem?.errors ?? [];
  useEffect(() => {
    if (errors.length > 0) area.current?.focus();
  }, [problem]);
  return (
    <>
      <FormField
        label={own.definition}
        hint={own.hint}
        fault={errors.length > 0 ? say(own.faulty, { count: errors.length }) : null}
      >
        {(control) => (
          <textarea
            {...control}
            ref={area}
            class="code"
            spellcheck={false}
            rows={24}
            value={text}
            onInput={(event) => type(event.currentTarget.value)}
          />
        )}
      </FormField>
      {problem && errors.length > 0 && <Faults text={text} faults={errors} area={area} />}
      {problem && errors.length === 0 && <ProblemNotice problem={problem} />}
    </>
  );
};
