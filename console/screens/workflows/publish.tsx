import type { WorkflowDefinition } from '../../../schemas/workflowDefinition.ts';
import type { CheckedDefinition } from '../../../schemas/workflowDefinitions.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { hrefOf, navigate } from '../../app/router.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { say, texts } from '../../texts.ts';
import { Changes } from './changes.tsx';
import { PATH } from './path.ts';

const own = texts.workflows.publish;

/** A definition without faults; `before` is the version that it follows, null for the first. */
export type Checked = CheckedDefinition & Readonly<{ before: WorkflowDefinition | null }>;

type PublishProps = Readonly<{ checked: Checked; onClose(): void; onPublished(): void }>;

/** Asks once, over what the version changes, and publishes it. */
export const Publish = ({ checked, onClose, onPublished }: PublishProps) => {
  const { definition, version, before } = checked;
  const { slug, name } = definition;
  const work = async (): Promise<void> => {
    await api.post(PATH, { body: { definition, version } });
    onPublished();
    announce(say(own.done, { name, version }));
    navigate(hrefOf(`/workflows/${slug}`, { company: null }));
  };
  return (
    <ConfirmDialog title={say(own.title, { name, version })} act={own.act} work={work} onClose={onClose}>
      <p>{before ? own.text : say(own.first, { slug })}</p>
      {before && <Changes before={before} after={definition} />}
    </ConfirmDialog>
  );
};
