import type { Figures } from '../storeMetrics.ts';
import type { Instruments } from './instruments.ts';

/** The types are another release's: how many there are is not for us to say. */
const MOST_TYPES = 20;

/** Gauges of the stores; without figures they show nothing rather than what was true once. */
export const storeGauges = ({ gauge }: Instruments) => {
  const lagSeconds = gauge(
    'intake_projection_lag_seconds',
    'Age of the oldest event that a read model does not show',
    ['projection'],
  );
  const lagEvents = gauge(
    'intake_projection_lag_events',
    'Events that a read model does not show yet, counted up to 200',
    ['projection'],
  );
  const version = gauge('intake_projection_version', 'The version of a read model that serves', [
    'projection',
  ]);
  const position = gauge(
    'intake_projection_position',
    'How far into the log a read model shows it: rows of the embedded log, bytes of EventStoreDB',
    ['projection'],
  );
  const reactorSeconds = gauge(
    'intake_reactor_lag_seconds',
    'Age of the oldest event that a reactor has not answered',
    ['reactor'],
  );
  const quarantined = gauge(
    'intake_quarantined_documents',
    'Documents that stand still since their projection threw on an event, counted up to 1000',
    ['projection'],
  );
  const setAside = gauge('intake_reactions_set_aside', 'Reactions that were given up, counted up to 1000', [
    'reactor',
  ]);
  const parked = gauge(
    'intake_parked_events',
    'Events of a type or version that this release does not know, passed by the read models, counted up to 1000',
    ['type'],
  );
  const items = gauge('intake_queue_items', 'Work that waits, due or not, counted up to 10000', ['queue']);
  const due = gauge(
    'intake_queue_due_items',
    'Work that is due, also what is under way, counted up to 10000',
    ['queue'],
  );
  const oldest = gauge('intake_queue_oldest_due_seconds', 'How long the oldest due work has been due', [
    'queue',
  ]);
  const all = [
    lagSeconds,
    lagEvents,
    version,
    position,
    reactorSeconds,
    quarantined,
    setAside,
    parked,
    items,
    due,
    oldest,
  ];
  const show = (figures: Figures | null): void => {
    for (const one of all) one.reset();
    for (const [projection, { seconds, events }] of Object.entries(figures?.projections ?? {})) {
      lagSeconds.set({ projection }, seconds);
      lagEvents.set({ projection }, events);
    }
    for (const [projection, shown] of Object.entries(figures?.shown ?? {})) {
      version.set({ projection }, shown.version);
      position.set({ projection }, shown.offset);
    }
    for (const [reactor, { seconds }] of Object.entries(figures?.reactors ?? {}))
      reactorSeconds.set({ reactor }, seconds);
    for (const { queue, ...of } of figures?.queues ?? []) {
      items.set({ queue }, of.items);
      due.set({ queue }, of.due);
      oldest.set({ queue }, of.oldestDueSeconds);
    }
    for (const [projection, count] of Object.entries(figures?.quarantined ?? {}))
      quarantined.set({ projection }, count);
    for (const [reactor, count] of Object.entries(figures?.setAside ?? {})) setAside.set({ reactor }, count);
    for (const [n, [type, count]] of Object.entries(figures?.parked ?? {}).entries())
      parked.inc({ type: n < MOST_TYPES ? type : 'other' }, count);
  };
  return { show };
};
