import type { Recorded } from '../kernel/event.ts';
import type { Report } from '../kernel/report.ts';

/** The events that this release knows. Loaded when the log is first used: schemas would double the start of a command that uses none. */
export const catalogue = async () => (await import('../schemas/events.ts')).eventCatalogue;

/** Tells of events that this release does not know: another one wrote them, and nothing is made of them before this one is as new. */
export const reportUnknown =
  (report: Report) =>
  ({ type, metadata, stream, revision }: Recorded): void =>
    report.warn('the log has events of a type or version that this release does not know: they are parked', {
      type,
      schema: metadata.schema,
      stream,
      revision,
    });
