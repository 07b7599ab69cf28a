import { useRef } from 'preact/hooks';
import type { SubmissionEventItem } from '../../../schemas/submissions.ts';
import { type Resource, useResource } from '../../app/resource.ts';
import { changeQuery } from '../../app/router.ts';
import { Button } from '../../parts/button.tsx';
import { ConfidenceMark, StatusMark } from '../../parts/marks.tsx';
import { Empty, Notice, Reading } from '../../parts/notice.tsx';
import { say, texts } from '../../texts.ts';
import { Deliveries } from './deliveries.tsx';
import { Exports, mayExport } from './evidence.tsx';
import { certainty, type Field, isSame, shownAs } from './fields.ts';
import { type Read, readSubmission } from './read.ts';
import { Timeline } from './timeline.tsx';

const own = texts.timeline;

type ViewProps = Readonly<{
  read: Read;
  events: Resource<readonly SubmissionEventItem[]>;
  at: string | null;
  /** How many were made on this screen. */
  exports: number;
}>;

/** What happened to the submission, beside what it was then. */
export const TimelineView = ({ read, events, at, exports }: ViewProps) => (
  <div class="sides">
    <div>
      <Reading resource={events} />
      {events.value && (
        <Timeline
          events={events.value}
          at={at === null ? null : Number(at)}
          labelOf={(field) => read.fields.find(({ name }) => name === field)?.label ?? field}
        />
      )}
    </div>
    <div>
      <AsOf read={read} at={at} />
      {at === null && <Deliveries submissionId={read.detail.id} />}
      {at === null && mayExport() && <Exports submissionId={read.detail.id} made={exports} />}
    </div>
  </div>
);

/** The submission as of a revision; none before the first. */
const useRevision = (id: string, revision: number): Resource<Read> =>
  useResource(revision < 0 ? null : `${id} ${revision}`, (signal) =>
    readSubmission(id, String(revision), signal),
  );

/**
 * The submission as of a revision and before it, or now; while that is read the past that was read last, and
 * null where none was.
 */
const useThen = (read: Read, at: string | null) => {
  const revision = at === null ? -1 : Number(at);
  const past = useRevision(read.detail.id, revision);
  const before = useRevision(read.detail.id, revision - 1).value;
  const last = useRef<Read | null>(null);
  last.current = past.problem ? null : (past.value ?? last.current);
  return { past, then: at === null ? read : last.current, before: past.value && before };
};

const AsOf = ({ read, at }: Readonly<{ read: Read; at: string | null }>) => {
  const { past, then, before } = useThen(read, at);
  return (
    <section aria-label={own.state}>
      {at !== null && (
        <Notice kind="info">
          <p>{say(own.past, { at })}</p>
          <Button onClick={() => changeQuery({ at: null })}>{own.now}</Button>
        </Notice>
      )}
      {then ? <Then then={then} before={before} /> : <Reading resource={past} />}
    </section>
  );
};

/** What the submission was; where the event changed it, with what it was before. */
const Then = ({ then: { detail, fields }, before }: Readonly<{ then: Read; before: Read | null }>) => {
  const { submissionStatus, files } = detail;
  const status = before?.detail.submissionStatus ?? submissionStatus;
  return (
    <>
      <p>
        <StatusMark status={submissionStatus} files={files} />{' '}
        {status !== submissionStatus && <small>{say(own.was, { text: texts.statuses[status] })}</small>}
      </p>
      {fields.length === 0 ? (
        <Empty>{texts.fields.none}</Empty>
      ) : (
        <table>
          <tbody>
            {fields.map((field) => (
              <Value
                key={field.name}
                field={field}
                before={before?.fields.find(({ name }) => name === field.name)}
              />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
};

/** A value of then; where the event changed it, with what it was before. */
const Value = ({ field, before = field }: Readonly<{ field: Field; before?: Field | undefined }>) => {
  const isChanged = !isSame(field.value, before.value);
  return (
    <tr class={isChanged ? 'different' : ''} title={isChanged ? own.change : undefined}>
      <th scope="row">{field.label}</th>
      <td>
        {shownAs(field.value) || '–'}
        {isChanged && <small> {say(own.was, { text: shownAs(before.value) || texts.fields.nothing })}</small>}
      </td>
      <td>
        <ConfidenceMark certainty={certainty(field)} />
      </td>
    </tr>
  );
};
