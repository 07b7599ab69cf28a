import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useKeys } from '../../app/keys.ts';
import { changeQuery, hrefOf, navigate } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { Button } from '../../parts/button.tsx';
import { Notice, ProblemNotice, Skeleton } from '../../parts/notice.tsx';
import { Screen } from '../../parts/screen.tsx';
import { say, texts } from '../../texts.ts';
import { Agent } from './agent.tsx';
import { keep } from './drafts.ts';
import { Evaluate } from './evaluate.tsx';
import { objectIn, parsed } from './faults.tsx';
import { DefinitionForm } from './form/definitionForm.tsx';
import { Json } from './json.tsx';
import { Publish } from './publish.tsx';
import { Tabs } from './tabs.tsx';
import { TrialOf } from './trialOf.tsx';
import { BLANK, useBase, useDraft, written } from './useDraft.ts';

const own = texts.workflows.editor;

/** Writes a version, with the agent's help, and publishes it after one look at what changes. */
const Editor = ({ parameters: { slug = '' }, query }: ScreenProps) => {
  const base = useBase(slug, query.get('version'));
  if (base.isLoading) return <Skeleton />;
  if (base.problem) return <ProblemNotice problem={base.problem} retry={base.reload} />;
  return (
    <Draft
      slug={slug}
      base={base.value}
      view={query.get('view') === 'json' ? 'json' : 'form'}
      evaluation={query.get('evaluation') ?? ''}
    />
  );
};
export default Editor;

type DraftProps = Readonly<{
  slug: string;
  base: string | null;
  view: keyof typeof own.views;
  evaluation: string;
}>;

const Draft = ({ slug, base, view, evaluation }: DraftProps) => {
  const draft = useDraft(slug, base);
  const { text, type, problem, faults, checked } = draft;
  const definition = objectIn(text);
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
        current={() => (text.trim() === '' || text === BLANK ? null : parsed(text))}
        onDraft={(made) => {
          setBefore(draft.typed.current);
          type(written(made));
        }}
        undo={before === null ? null : undo}
      />
      <Tabs
        label={own.viewsLabel}
        tabs={own.views}
        chosen={view}
        onChoose={(name) => changeQuery({ view: name === 'form' ? null : name })}
      >
        {view === 'json' && <Json {...{ text, type, faults }} checked={problem} />}
        {view === 'form' && definition && (
          <DefinitionForm
            definition={definition}
            isNew={slug === ''}
            faults={faults}
            checked={problem}
            change={draft.change}
          />
        )}
        {view === 'form' && !definition && <Notice kind="warning">{own.noForm}</Notice>}
      </Tabs>
      {problem && !problem.errors?.length && <ProblemNotice problem={problem} />}
      {checked && !draft.isPublishing && (
        <Notice kind="good">{say(own.right, { version: checked.version })}</Notice>
      )}
      <Acts draft={draft} discard={discard}>
        {slug !== '' && <Evaluate candidate={() => ({ definition: parsed(text) })} />}
      </Acts>
      <TrialOf current={() => ({ definition: parsed(text) })} />
      {draft.isPublishing && checked && (
        <Publish
          {...{ checked, evaluation }}
          onClose={draft.endPublishing}
          onPublished={() => keep(slug, null)}
        />
      )}
    </Screen>
  );
};

type ActsProps = Readonly<{
  draft: ReturnType<typeof useDraft>;
  discard(): void;
  children: ComponentChildren;
}>;

const Acts = ({ draft: { isRunning, run }, discard, children }: ActsProps) => (
  <div class="actions">
    <Button class="primary" disabled={isRunning} onClick={() => void run(true)}>
      {own.publish}
    </Button>
    <Button disabled={isRunning} onClick={() => void run(false)}>
      {own.check}
    </Button>
    {children}
    <Button onClick={discard}>{own.discard}</Button>
  </div>
);
