import { useState } from 'preact/hooks';
import type { PartStatus } from '../../../schemas/serviceStatus.ts';
import { usePolled } from '../../app/polled.ts';
import { SelectField } from '../../parts/formField.tsx';
import { Mark } from '../../parts/marks.tsx';
import { duration, number } from '../../parts/quantity.ts';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { PATH, SELDOM_MS, type ServiceLists } from './read.ts';
import { ListSection } from './section.tsx';

const { queues: queueTexts, leases, nodes: nodeTexts, parts: partTexts, outages } = texts.operations;
const queueNames: Readonly<Record<string, string>> = queueTexts.names;

/** What people call a queue. */
export const queueName = (queue: string): string => queueNames[queue] ?? queue;

/** What is due, for how long, and what of it is under way. */
export const Queues = ({ queues }: Pick<ServiceLists, 'queues'>) => (
  <ListSection
    title={queueTexts.title}
    resource={queues}
    empty={texts.operations.none}
    keyOf={({ queue }) => queue}
    names={queueTexts.columns}
    cells={{
      queue: ({ queue }) => queueName(queue),
      items: ({ items }) => number(items),
      due: ({ due }) => number(due),
      inProgress: ({ inProgress }) => number(inProgress),
      oldest: ({ oldestDueAt, oldestDueSeconds }) =>
        oldestDueAt === null ? texts.operations.none : duration(oldestDueSeconds),
    }}
  />
);

/** Who holds what: the loops of which one process runs each, or the work under way in a queue. */
export const Leases = () => {
  const [queue, choose] = useState('');
  const work = Object.entries(queueNames).map(([value, name]) => ({
    value,
    text: say(leases.work, { queue: name }),
  }));
  const options = [{ value: '', text: leases.loops }, ...work];
  return (
    <ListSection
      title={leases.title}
      actions={<SelectField label={leases.choose} value={queue} options={options} onChange={choose} />}
      resource={usePolled(`${PATH}/leases`, SELDOM_MS, { query: { queue } })}
      empty={leases.empty}
      keyOf={({ lease }) => lease}
      names={leases.columns}
      cells={{
        lease: ({ lease }) => <code>{lease}</code>,
        owner: ({ owner }) => <code>{owner}</code>,
        until: ({ remainingSeconds }) => duration(remainingSeconds),
      }}
    />
  );
};

const STATES = { running: 'good', silent: 'bad', stopped: '' } as const;

/** The processes of the last hour. */
export const Nodes = ({ nodes }: Pick<ServiceLists, 'nodes'>) => (
  <ListSection
    title={nodeTexts.title}
    resource={nodes}
    empty={texts.operations.none}
    keyOf={({ node }) => node}
    names={nodeTexts.columns}
    cells={{
      node: ({ node }) => <code>{node}</code>,
      state: ({ state }) => <Mark tone={STATES[state]}>{nodeTexts.states[state]}</Mark>,
      roles: ({ roles }) => roles.join(', '),
      version: ({ version }) => version,
      started: ({ startedAt }) => <When at={startedAt} />,
      seen: ({ seenAt }) => <When at={seenAt} />,
    }}
  />
);

/** Whether each part can be used, as each process sees it. */
export const Parts = ({ parts }: Pick<ServiceLists, 'parts'>) => (
  <ListSection
    title={partTexts.title}
    resource={parts}
    empty={texts.operations.none}
    keyOf={({ node, part }) => `${node} ${part}`}
    names={{ ...partTexts.columns, node: nodeTexts.columns.node }}
    cells={{
      part: ({ part }) => partName(part),
      state: (row) => <PartMark part={row} />,
      since: ({ since }) => since && <When at={since} />,
      detail: ({ detail }) => detail,
      node: ({ node }) => <code>{node}</code>,
    }}
  />
);

const partName = (part: string): string => {
  const names: Readonly<Record<string, string>> = partTexts.names;
  return names[part] ?? part;
};

const PartMark = ({ part: { available, readable } }: Readonly<{ part: PartStatus }>) => {
  if (available) return <Mark tone="good">{partTexts.states.available}</Mark>;
  return <Mark tone="bad">{readable ? partTexts.states.readable : partTexts.states.away}</Mark>;
};

/** The last outages of parts. */
export const Outages = () => (
  <ListSection
    title={outages.title}
    resource={usePolled(`${PATH}/outages`, SELDOM_MS, {})}
    empty={outages.empty}
    keyOf={({ node, part, from }) => `${node} ${part} ${from}`}
    names={{
      ...partTexts.columns,
      from: outages.columns.from,
      lasted: outages.columns.lasted,
      node: nodeTexts.columns.node,
    }}
    cells={{
      part: ({ part }) => partName(part),
      from: ({ from }) => <When at={from} exact />,
      lasted: ({ from, until }) =>
        until === null ? (
          <Mark tone="bad">{outages.lasts}</Mark>
        ) : (
          duration((Date.parse(until) - Date.parse(from)) / 1_000)
        ),
      detail: ({ detail }) => detail,
      node: ({ node }) => <code>{node}</code>,
    }}
  />
);
