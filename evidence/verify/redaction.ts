import type { SubmissionEvent } from '../../domain/submission/state.ts';
import type { Recorded } from '../../kernel/event.ts';
import { copyPath, submittedFiles } from '../derive/files.ts';
import { privateMembersOf } from '../derive/privateMembers.ts';
import { EVENTS, type Manifest } from '../format.ts';
import { eventOf, type Finding, finding, said } from './findings.ts';
import type { FindingCode, Said } from './sentences.ts';

/** An event whose private part nobody can read any more, and the path of its stream. */
type Closed = Readonly<{ path: string; event: Recorded }>;

/**
 * What a package lacks because its submission was redacted (`redacted`: no faults), and private parts that
 * are gone though none of its events says so. `known` are those of the submission's events that this release
 * reads, `streams` all events, its own first, as the manifest lists them.
 */
export const redactionFindings = (
  { missing, deliveries }: Manifest,
  known: readonly Recorded<SubmissionEvent>[],
  streams: readonly (readonly Recorded[])[],
): Readonly<{ findings: readonly Finding[]; redacted: readonly Finding[] }> => {
  const paths = [EVENTS, ...deliveries.map(({ path }) => path)];
  const closed = streams.flatMap((events, index) => closedIn(events, paths[index] ?? EVENTS));
  const request = known.find((event) => event.type === 'SubmissionRedactionRequested');
  if (!request)
    return {
      findings: closed.map((one) => closedFinding(one, 'wronglyRedacted')),
      redacted: [],
    };
  const why = { at: request.metadata.at, basis: request.data.legalBasis };
  const gone = new Set(missing.map(({ fileId }) => fileId));
  const files = submittedFiles(known).filter(({ fileId }) => gone.has(fileId));
  return {
    findings: [],
    redacted: [
      ...files.map((file) => finding(copyPath(file), said('fileRedacted', why))),
      ...closed.map((one) => {
        const name = privateMembersOf(one.event.type).join(', ') || said('sealedPart');
        return closedFinding(one, said('partRedacted', { name, ...why }));
      }),
    ],
  };
};

const closedIn = (events: readonly Recorded[], path: string): readonly Closed[] =>
  events.flatMap((event) => {
    const { private: part } = event.data as Readonly<{ private?: object }>;
    return part !== undefined && 'redacted' in part ? [{ path, event }] : [];
  });

const closedFinding = ({ path, event }: Closed, what: Said | FindingCode): Finding =>
  finding(path, what, { event: eventOf(event), pointer: '/private' });
