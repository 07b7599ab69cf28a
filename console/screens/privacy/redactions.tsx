import { useEffect, useState } from 'preact/hooks';
import type { SubjectRedaction } from '../../../client/api.ts';
import { usePages } from '../../app/pages.ts';
import { usePolled } from '../../app/polled.ts';
import { hrefOf } from '../../app/router.ts';
import { Facts } from '../../parts/facts.tsx';
import { Mark } from '../../parts/marks.tsx';
import { Reading } from '../../parts/notice.tsx';
import { number } from '../../parts/quantity.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';

const own = texts.privacy;
const names = texts.certificate;
const POLL_MS = 1_000;

const hrefTo = (redaction: string): string => hrefOf('/privacy', { view: 'redactions', redaction });

const StatusOf = ({ job: { status } }: Readonly<{ job: SubjectRedaction }>) => (
  <Mark tone={status === 'done' ? 'good' : ''}>{own.statuses[status]}</Mark>
);

const columns: readonly Column<SubjectRedaction>[] = [
  {
    text: names.requested,
    share: 3,
    cell: ({ redactionId, createdAt }) => (
      <a href={hrefTo(redactionId)}>
        <When at={createdAt} exact />
      </a>
    ),
  },
  { text: own.status, share: 2, cell: (job) => <StatusOf job={job} /> },
  { text: own.progress, share: 2, cell: ({ done, total }) => doneOf(done, total) },
  {
    text: own.left,
    share: 2,
    align: 'end',
    cell: ({ held, failed }) => number(held.length + failed.length),
  },
  { text: names.legalBasis, share: 3, cell: ({ legalBasis }) => texts.legalBases[legalBasis] },
  { text: names.requestedBy, share: 3, cell: ({ requestedBy }) => requestedBy },
];

const doneOf = (done: number, total: number): string =>
  say(own.doneOf, { done: number(done), total: number(total) });

/** The redactions of persons, and one of them. */
export const Redactions = ({ id }: Readonly<{ id: string | null }>) => {
  const [ended, end] = useState(0);
  const pages = usePages('/api/v1/redactions', {}, ended);
  return (
    <>
      {id !== null && <Redaction key={id} id={id} onEnded={() => end(ended + 1)} />}
      <section>
        <h2>{own.before}</h2>
        <Table
          label={own.before}
          columns={columns}
          pages={pages}
          keyOf={({ redactionId }) => redactionId}
          empty={own.noRedactions}
        />
      </section>
    </>
  );
};

type RedactionProps = Readonly<{ id: string; onEnded(): void }>;

/** A redaction, which is read again until it is done. */
const Redaction = ({ id, onEnded }: RedactionProps) => {
  const [ended, end] = useState<SubjectRedaction | null>(null);
  const path = { redactionId: id };
  const polled = usePolled(ended ? null : '/api/v1/redactions/{redactionId}', POLL_MS, { path });
  const job = ended ?? polled.value;
  useEffect(() => {
    if (ended || job?.status !== 'done') return;
    end(job);
    onEnded();
  }, [job]);
  return (
    <section aria-labelledby="redaction">
      <h2 id="redaction">{own.one}</h2>
      {!job && <Reading resource={polled} />}
      {job && <Job job={job} />}
    </section>
  );
};

const Job = ({ job }: Readonly<{ job: SubjectRedaction }>) => {
  const { done, total, held, failed } = job;
  const wanted = total - held.length - failed.length;
  return (
    <>
      {job.status === 'running' && (
        <progress value={done} max={Math.max(1, wanted)} aria-label={own.progress} />
      )}
      <Facts
        facts={[
          [own.status, <StatusOf key="status" job={job} />],
          [own.progress, doneOf(done, total)],
          [names.requested, <When key="requested" at={job.createdAt} exact />],
          [names.done, job.endedAt && <When key="done" at={job.endedAt} exact />],
          [names.reason, job.reason],
          [names.legalBasis, texts.legalBases[job.legalBasis]],
          [names.requestedBy, job.requestedBy],
        ]}
      />
      <Left title={own.heldList} ids={held} />
      <Left title={own.failedList} ids={failed} />
    </>
  );
};

/** Submissions that are left as they were. */
const Left = ({ title, ids }: Readonly<{ title: string; ids: readonly string[] }>) => {
  if (ids.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <a href={hrefOf(`/submissions/${id}`)}>{id}</a>
          </li>
        ))}
      </ul>
    </>
  );
};
