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
  const { operations } = texts;
  const count = (
    rows: readonly unknown[],
    text: Parameters<typeof say>[0],
    section: string,
  ): readonly Fault[] => (rows.length === 0 ? [] : [{ text: say(text, { count: rows.length }), section }]);
  const { parts, nodes, queues, projections, quarantined, reactions, parked } = lists;
  const late = queues.data.filter(({ oldestDueSeconds }) => oldestDueSeconds > LATE_SECONDS);
  return [
    ...count(
      parts.data.filter(({ available }) => !available),
      own.parts,
      operations.parts.title,
    ),
    ...count(
      nodes.data.filter(({ state }) => state === 'silent'),
      own.silent,
      operations.nodes.title,
    ),
    ...late.map(({ queue, oldestDueSeconds }) => ({
      text: say(own.late, { queue: queueName(queue), time: duration(oldestDueSeconds) }),
      section: operations.queues.title,
    })),
    ...count(
      projections.data.filter(({ state }) => state !== 'live'),
      own.notLive,
      operations.readModels.title,
    ),
    ...count(
      projections.data.filter(({ lag }) => lag.events > 0 && lag.seconds > LATE_SECONDS),
      own.behind,
      operations.readModels.title,
    ),
    ...count(quarantined.data, own.quarantined, operations.setAside.documents),
    ...count(reactions.data, own.reactions, operations.setAside.reactions),
    ...count(parked.data, own.parked, operations.setAside.parked),
  ];
};
