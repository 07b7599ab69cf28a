import { hrefOf } from '../../app/router.ts';
import { FraudMark, StatusMark } from '../../parts/marks.tsx';
import { ClientId } from '../../parts/named.tsx';
import { texts } from '../../texts.ts';
import { listHref, submissionHref, usePlace } from '../submissions/list.ts';
import type { Read } from './read.ts';

const own = texts.submission;

/** What a submission is looked at by. */
export const VIEWS = ['fields', 'matches', 'timeline'] as const;
type View = (typeof VIEWS)[number];

/** The way to the list that the person came from. */
export const Back = () => (
  <a class="back" href={listHref() ?? hrefOf('/submissions')} aria-label={own.list} title={own.list}>
    ‹
  </a>
);

type StateProps = Readonly<{ read: Read; view: View }>;

/** What a submission is now, and the way to its views. */
export const State = ({ read, view }: StateProps) => {
  const { id, submissionStatus, fraudStatus, files } = read.detail;
  const standing = usePlace(id);
  return (
    <>
      <ClientId {...read.detail} />
      {standing && <small>{standing}</small>}
      <StatusMark status={submissionStatus} files={files} />
      <FraudMark status={fraudStatus} />
      <Views read={read} view={view} />
    </>
  );
};

const Views = ({ read: { detail }, view }: StateProps) => {
  const { id, fraudMatches } = detail;
  return (
    <nav class="views" aria-label={own.viewsTitle}>
      {VIEWS.map((name) => (
        <a
          key={name}
          href={submissionHref(id, { view: name === 'fields' ? null : name })}
          aria-current={name === view ? 'page' : undefined}
        >
          {own.views[name]}
          {name === 'matches' && fraudMatches.length > 0 && ` (${fraudMatches.length})`}
        </a>
      ))}
    </nav>
  );
};
