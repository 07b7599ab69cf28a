import { type SubmissionEvent, submissionEvents } from '../domain/submission/state.ts';
import { SealBroken } from '../kernel/errors.ts';
import type { Recorded } from '../kernel/event.ts';
import type { Fault } from '../kernel/fault.ts';
import { pick } from '../kernel/pick.ts';
import { eventCatalogue } from '../schemas/events.ts';

/**
 * An event as an auditor gets it: also one that this release does not support, and one that breaks the schema
 * of the version it was written in, with where it does (`faults`). All others are as this release reads them.
 */
export type Audited = Recorded<SubmissionEvent> & Readonly<{ known: boolean; faults: readonly Fault[] }>;

/** Events of a submission's stream, as they are stored but with their private parts open. */
export const audited = (stored: readonly Recorded[]): readonly Audited[] =>
  stored.map((event) => {
    const known = isKnown(event);
    const broken = sealFaults(event);
    if (broken.length > 0) return { ...event, data: withoutSealed(event), known, faults: broken } as Audited;
    const faults = known ? eventCatalogue.faults(event) : [];
    const data = known && faults.length === 0 ? eventCatalogue.upcast(event) : event.data;
    return { ...event, data, known, faults } as Audited;
  });

/** A private part is opened when it is read, and only then shows whether it is as it was written. */
const sealFaults = ({ data }: Recorded): readonly Fault[] => {
  try {
    const { private: _opened } = Object(data);
    return [];
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return [{ pointer: '/data/private', detail: 'does not open with its key: it was changed in the log' }];
  }
};

const withoutSealed = ({ data }: Recorded): object => {
  const names = Object.keys(Object(data)).filter((name) => name !== 'private');
  return { ...pick(Object(data), ...names), private: { redacted: true } };
};

const isKnown = ({ type, metadata }: Recorded): boolean =>
  Object.hasOwn(submissionEvents, type) && eventCatalogue.canRead(type, metadata.schema);
