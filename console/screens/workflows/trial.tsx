import { useEffect, useRef, useState } from 'preact/hooks';
import type { WorkflowDefinition, WorkflowTrial } from '../../../client/api.ts';
import { mediaTypeOf } from '../../../client/mediaTypes.ts';
import { api } from '../../app/api.ts';
import { useAction } from '../../app/resource.ts';
import { Button } from '../../parts/button.tsx';
import { FileField } from '../../parts/fileField.tsx';
import { ConfidenceMark, StatusMark } from '../../parts/marks.tsx';
import { Notice, ProblemNotice, Skeleton } from '../../parts/notice.tsx';
import { ScrollRegion } from '../../parts/scrollRegion.tsx';
import { say, texts } from '../../texts.ts';
import { asText, certainty, type Field, fieldsOf, reasonText } from '../submission/fields.ts';
import { type Room, Sheet, TextSheet, useRoom } from '../submission/sheet.tsx';
import type { Unchecked } from './faults.tsx';

const own = texts.workflows.trial;

/** What was read of a file, by which definition, and the pictures or texts of its pages. */
type Tried = Readonly<{ trial: WorkflowTrial; fields: readonly Field[]; pages: readonly Page[] }>;
type Page = Readonly<{
  page: number;
  size: WorkflowTrial['pages'][number]['size'];
  shown: Readonly<{ picture: string }> | Readonly<{ text: string }>;
}>;

type TrialProps = Readonly<{
  /** What the file is read by. Throws what is wrong with it. */
  current(): Unchecked;
}>;

/** Reads a file by a definition as it stands, of which nothing is kept. */
const Trial = ({ current }: TrialProps) => {
  const [tried, setTried] = useState<Tried | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const { isRunning, problem, start } = useAction();
  useEffect(() => () => forget(tried), [tried]);
  const attempt = async (chosen: File): Promise<void> => {
    setFile(chosen);
    setTried(null);
    await start(async () => {
      const definition = current();
      const mimeType = chosen.type === '' ? mediaTypeOf(chosen.name) : chosen.type;
      const content = await base64Of(chosen);
      const body = { definition, file: { mimeType, content, fileName: chosen.name } };
      const trial = await api.post('/api/internal/workflow-trials', { body });
      // The service has read the file by it: it is a definition.
      setTried(triedBy(definition as unknown as WorkflowDefinition, trial));
    });
  };
  return (
    <section aria-label={own.title}>
      <h2>{own.title}</h2>
      <FileField
        label={own.file}
        hint={own.hint}
        disabled={isRunning}
        onChoose={(one) => void attempt(one)}
      />
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

const triedBy = (definition: WorkflowDefinition, trial: WorkflowTrial): Tried => {
  const contract = definition.outputSchema.map(({ label = null, description = null, ...field }) => ({
    ...{ ...field, label, description },
    // Nothing is typed here.
    validation: null,
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

/** The pages beside the values: what is pointed at on one side is marked on the other. */
const Values = ({ fields, pages }: Tried) => {
  const [active, setActive] = useState<string | null>(null);
  const region = useRef<HTMLElement>(null);
  const room = useRoom(region);
  const choose = (name: string): void => {
    setActive(name);
    const at = fields.find((field) => field.name === name)?.place?.page;
    region.current?.querySelector(`[data-page="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div class="trial">
      <ScrollRegion own={region} class="page" label={own.pages}>
        {pages.length === 0 && <p class="empty">{own.noPages}</p>}
        {pages.map((page) => (
          <Shown key={page.page} {...{ page, room, fields, active, setActive, choose }} />
        ))}
      </ScrollRegion>
      <ScrollRegion label={own.values}>
        <table>
          <thead>
            <tr>
              {own.columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.name} onMouseEnter={() => setActive(field.name)}>
                <th scope="row">
                  <Button
                    class="plain"
                    aria-pressed={field.name === active}
                    disabled={!field.place}
                    onClick={() => choose(field.name)}
                  >
                    {field.label}
                  </Button>
                </th>
                <td>{field.value === null ? '–' : asText(field.value)}</td>
                <td>
                  <ConfidenceMark certainty={certainty(field)} />{' '}
                  {field.value === null ? null : field.confidence?.toFixed(2)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  );
};

type ShownProps = Readonly<{
  page: Page;
  room: Room;
  fields: readonly Field[];
  active: string | null;
  setActive(name: string | null): void;
  choose(name: string): void;
}>;

/** A page with the places of the values on it. */
const Shown = ({ page: { page, size, shown }, room, fields, active, setActive, choose }: ShownProps) => {
  const drawn = useRef(1);
  const there = fields.filter(({ place }) => place?.page === page);
  return (
    <div data-page={page}>
      {'text' in shown && (
        <TextSheet text={shown.text} found={there.find(({ name }) => name === active)?.text ?? null} />
      )}
      {'picture' in shown && size && (
        <Sheet
          {...{ room, active, take: null, walked: null, focused: null, words: [] }}
          fields={there}
          view={{ size: 'width', turn: 0, drawn }}
          at={{ fileId: there[0]?.place?.fileId ?? '', page, size }}
          isCurrent
          picture={shown.picture}
          alternative={there.map(({ label, value }) => `${label}: ${asText(value)}`).join('; ')}
          onActive={setActive}
          onChosen={choose}
        />
      )}
    </div>
  );
};
