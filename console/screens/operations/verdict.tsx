import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { duration } from '../../parts/quantity.ts';
import { say, texts } from '../../texts.ts';
import { queueName } from './processes.tsx';
import type { ServiceLists } from './read.ts';
import { goToSection } from './section.tsx';

const own = texts.operations.verdict;

/** What is due for as long is not picked up as it should be. */
const LATE_SECONDS = 60;

type Lists = { readonly [N in keyof ServiceLists]: NonNullable<ServiceLists[N]['value']> };
type Fault = Readonly<{ text: string; section: string }>;

/** Whether all is well, in one line; what is not, each with a way to its section. */
export const Verdict = ({ lists }: Readonly<{ lists: ServiceLists }>) => {
  const values = Object.fromEntries(Object.entries(lists).map(([name, { value }]) => [name, value]));
  if (Object.values(values).includes(null)) return <p>{texts.loading}</p>;
  const faults = faultsOf(values as Lists);
  if (faults.length === 0) return <Notice kind="good">{own.well}</Notice>;
  return (
    <Notice kind="warning">
      <ul class="faults">
        {faults.map(({ text, section }) => (
          <li key={text}>
            <Button class="link" onClick={() => goToSection(section)}>
              {text}
            </Button>
          </li>
        ))}
      </ul>
    </Notice>
  );
};

const faultsOf = (lists: Lists): readonly Fault[] => {
  const { parts, nodes, queues, projections, quarantined, reactions, parked } = lists;
  const { setAside, readModels, ...sections } = texts.operations;
  const late = queues.data.filter(({ oldestDueSeconds }) => oldestDueSeconds > LATE_SECONDS);
  return [
    ...some(
      parts.data.filter(({ available }) => !available),
      sections.parts.title,
      (count) => say(own.parts, { count }),
    ),
    ...some(
      nodes.data.filter(({ state }) => state === 'silent'),
      sections.nodes.title,
      (count) => say(own.silent, { count }),
    ),
    ...late.map(({ queue, oldestDueSeconds }) => ({
      text: say(own.late, { queue: queueName(queue), time: duration(oldestDueSeconds) }),
      section: sections.queues.title,
    })),
    ...some(
      projections.data.filter(({ state }) => state !== 'live'),
      readModels.title,
      (count) => say(own.notLive, { count }),
    ),
    ...some(
      projections.data.filter(({ lag }) => lag.events > 0 && lag.seconds > LATE_SECONDS),
      readModels.title,
      (count) => say(own.behind, { count }),
    ),
    ...some(quarantined.data, setAside.documents, (count) => say(own.quarantined, { count })),
    ...some(reactions.data, setAside.reactions, (count) => say(own.reactions, { count })),
    ...some(parked.data, setAside.parked, (count) => say(own.parked, { count })),
  ];
};

/** The fault of there being some of these; none where there are none. */
const some = (
  rows: readonly unknown[],
  section: string,
  textOf: (count: number) => string,
): readonly Fault[] => (rows.length === 0 ? [] : [{ text: textOf(rows.length), section }]);
