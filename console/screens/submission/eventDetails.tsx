import { member } from '../../app/members.ts';
import { useNames } from '../../app/people.ts';
import { ConfidenceMark, certaintyOf } from '../../parts/marks.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';
import { asText } from './fields.ts';

const own = texts.timeline;

type Members = Readonly<Record<string, unknown>>;
type DetailsProps = Readonly<{
  details: unknown;
  /** What people call a field. */
  labelOf(field: string): string;
}>;

/** What an event says, in words; what a newer release says besides, as it is. */
export const EventDetails = ({ details, labelOf }: DetailsProps) => {
  const entries = Object.entries((details ?? {}) as Members).filter(
    ([name, value]) => isTold(value) && !QUIET.includes(name) && !(value === 1 && COUNTS.includes(name)),
  );
  if (entries.length === 0) return null;
  const names: Readonly<Record<string, string>> = own.names;
  return (
    <dl>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{member(names, name) ?? name}</dt>
          <dd>
            <Value {...{ name, value, labelOf }} />
          </dd>
        </div>
      ))}
    </dl>
  );
};

/** Who acted is beside the event, and scores are in its evidence. */
const QUIET = ['actor', 'resolvedBy', 'certainty', 'fraudScore'];

/** Told from the second on. */
const COUNTS = ['round', 'attempt'];

const isTold = (value: unknown): boolean => value !== null && !(Array.isArray(value) && value.length === 0);

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  submissionStatus: texts.statuses,
  outcome: texts.statuses,
  withdraws: texts.statuses,
  secondEye: own.secondEye,
  fraudStatus: texts.fraudStatuses,
  resolution: texts.matches.resolutions,
  previousResolution: texts.matches.resolutions,
  checks: texts.matches.checks,
};

type ValueProps = Readonly<{ name: string; value: unknown; labelOf(field: string): string }>;

const isTime = (name: string): boolean => /At$|^until$/.test(name);

const Name = ({ id }: Readonly<{ id: string }>) => <>{useNames([id])(id)}</>;

const Value = ({ name, value, labelOf }: ValueProps) => {
  if (name === 'confidence') return <ConfidenceMark certainty={certaintyOf(Number(value))} />;
  if (isTime(name) && typeof value === 'string') return <When at={value} exact />;
  if (name === 'assignee') return <Name id={asText(value)} />;
  const wordOf = (text: string): string => member(member(WORDS, name) ?? {}, text) ?? text;
  if (!Array.isArray(value)) return <>{wordOf(asText(value))}</>;
  return (
    <ul>
      {value.map((item: unknown, index) => (
        <li key={index}>{itemText(item, labelOf) ?? wordOf(asText(item))}</li>
      ))}
    </ul>
  );
};

/** A correction, a reason for the review, or a file; null for anything else. */
const itemText = (item: unknown, labelOf: (field: string) => string): string | null => {
  if (typeof item !== 'object' || item === null) return null;
  const { field, code, machineValue, humanValue, label, fileName, mimeType } = item as Members;
  const of = typeof field === 'string' ? `${labelOf(field)}: ` : '';
  if (typeof code === 'string') return `${of}${(texts.fields.reasons as Members)[code] ?? code}`;
  if (of !== '' && 'humanValue' in item) return `${of}${read(machineValue)} → ${read(humanValue)}`;
  if (typeof label === 'string') return [label, fileName, mimeType].map(asText).filter(Boolean).join(', ');
  return null;
};

const read = (value: unknown): string => asText(value) || texts.fields.nothing;
