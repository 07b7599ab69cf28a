import { useEffect, useState } from 'preact/hooks';
import type { WorkflowDefinition, WorkflowTrial } from '../../../client/api.ts';
import { mediaTypeOf } from '../../../client/mediaTypes.ts';
import { api } from '../../app/api.ts';
import { member } from '../../app/members.ts';
import { useAction } from '../../app/resource.ts';
import { Button } from '../../parts/button.tsx';
import { FileField } from '../../parts/fileField.tsx';
import { StatusMark } from '../../parts/marks.tsx';
import { Notice, ProblemNotice, Skeleton } from '../../parts/notice.tsx';
import { say, texts } from '../../texts.ts';
import { fieldsOf, reasonText } from '../submission/fields.ts';
import type { Unchecked } from './faults.tsx';
import { type Page, type Tried, Values } from './triedPages.tsx';

const own = texts.workflows.trial;

/** What a file is read by: a definition, and what a company sets of it, with its labels. */
type ReadBy = Readonly<{ definition: Unchecked; settings?: object; labels?: Labels }>;
type Labels = Readonly<Record<string, unknown>>;

export type TrialProps = Readonly<{
  /** What the file is read by. Throws what is wrong with it. */
  current(): ReadBy;
  /** What that is, in a sentence. */
  hint?: string;
}>;

/** Reads a file by a definition as it stands, of which nothing is kept. */
const Trial = ({ current, hint = own.hint }: TrialProps) => {
  const [tried, setTried] = useState<Tried | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const { isRunning, problem, start } = useAction();
  useEffect(() => () => forget(tried), [tried]);
  const attempt = async (chosen: File): Promise<void> => {
    setFile(chosen);
    setTried(null);
    await start(async () => {
      const { labels = {}, ...by } = current();
      const mimeType = chosen.type === '' ? mediaTypeOf(chosen.name) : chosen.type;
      const content = await base64Of(chosen);
      const body = { ...by, file: { mimeType, content, fileName: chosen.name } };
      const trial = await api.post('/api/internal/workflow-trials', { body });
      // The service has read the file by it: it is a definition.
      setTried(triedBy(by.definition as unknown as WorkflowDefinition, labels, trial));
    });
  };
  return (
    <section class="part" aria-label={own.title}>
      <h2>{own.title}</h2>
      <FileField label={own.file} hint={hint} disabled={isRunning} onChoose={(one) => void attempt(one)} />
      {file && !isRunning && (
        <p class="actions">
          <Button onClick={() => void attempt(file)}>{say(own.again, { file: file.name })}</Button>
        </p>
      )}
      <div role="status">
        {isRunning && <Skeleton lines={6} />}
        {tried && <Outcome trial={tried.trial} />}
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {tried && <Values {...tried} />}
    </section>
  );
};
export default Trial;

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Nothing is typed here. */
const NOTHING = { validation: null };

const triedBy = (definition: WorkflowDefinition, labels: Labels, trial: WorkflowTrial): Tried => {
  const contract = definition.outputSchema.map(({ label, description, columns, ...field }) => ({
    ...{ ...field, ...NOTHING, description: description ?? null },
    label: textIn(member(labels, field.name)) ?? label ?? null,
    columns:
      columns?.map(({ label, description, ...column }) => ({
        ...{ ...column, ...NOTHING, label: label ?? null, description: description ?? null },
      })) ?? null,
  }));
  const fields = fieldsOf({ ...trial, corrections: [] }, trial.result, contract);
  return { trial, fields, pages: trial.pages.map(pageOf) };
};

const pageOf = ({ page, size, mediaType, content }: WorkflowTrial['pages'][number]): Page => {
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  const shown =
    mediaType === 'text/plain'
      ? { text: new TextDecoder().decode(bytes) }
      : { picture: URL.createObjectURL(new Blob([bytes], { type: mediaType })) };
  return { page, size, shown };
};

const forget = (tried: Tried | null): void => {
  for (const { shown } of tried?.pages ?? []) if ('picture' in shown) URL.revokeObjectURL(shown.picture);
};

/** What a submission of it would become, and why. */
const Outcome = ({ trial }: Readonly<{ trial: WorkflowTrial }>) => {
  const files = (trial.result?.files ?? []).map(({ fileId: id, label }) => ({ id, label }));
  return (
    <Notice kind={trial.submissionStatus === 'approved' ? 'good' : 'warning'}>
      <p>
        {own.becomes} <StatusMark status={trial.submissionStatus} />
      </p>
      {trial.failedReason && <p>{trial.failedReason}</p>}
      <ul>
        {trial.reviewReasons.map((reason) => (
          <li key={`${reason.code} ${reason.field}`}>
            {reason.field && <code>{reason.field}</code>} {reasonText({ files }, reason)}
          </li>
        ))}
      </ul>
    </Notice>
  );
};
