import type { WorkflowDefinition } from '../../../schemas/workflowDefinition.ts';
import { texts } from '../../texts.ts';
import { type Change, changesOf } from './lines.ts';

const own = texts.workflows;
const TONES = { added: 'good', removed: 'bad', changed: 'warning' } as const;

type ChangesProps = Readonly<{ before: WorkflowDefinition; after: WorkflowDefinition }>;

/** What changes from one version to another, in words. */
export const Changes = ({ before, after }: ChangesProps) => {
  const changes = changesOf(before, after);
  if (changes.length === 0) return <p>{own.noChange}</p>;
  return (
    <ul class="changes" aria-label={own.changes}>
      {changes.map((change) => (
        <li key={`${change.field} ${change.label}`}>
          <span class={`mark ${TONES[change.kind]}`}>{own.kinds[change.kind]}</span> <Words change={change} />
        </li>
      ))}
    </ul>
  );
};

const Words = ({ change: { field, label, before, after } }: Readonly<{ change: Change }>) => (
  <span>
    {field !== null && <strong>{field}</strong>} {label}
    {(before ?? after) !== null && ': '}
    {before !== null && <del>{before}</del>}
    {before !== null && after !== null && ' → '}
    {after !== null && <ins>{after}</ins>}
  </span>
);
