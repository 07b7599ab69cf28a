type Data = Readonly<Record<string, unknown>>;

/**
 * One step from a version of an event's data to the next. `open` makes the members that everybody may read; `sealed` makes the private part, of what it
 * was (`{}` where there was none) and of the members beside it as they were before this step. A part whose key was destroyed stays as it is, and
 * `sealed` is not asked. Left out: nothing changes there.
 */
export type Upcaster = Readonly<{ open?(data: Data): Data; sealed?(part: Data, data: Data): Data }>;

/** The steps of each event type, the first from version 1 to version 2. */
export type Upcasters = Readonly<Record<string, readonly Upcaster[]>>;

/** The steps of the events that have more than one version. docs/events.md says how to change an event. */
export const upcasters: Upcasters = {};

/** Data after these steps. The private part is not touched before it is read: one that does not open must stop its own reader alone. */
export const upcast = (data: Data, steps: readonly Upcaster[]): Data => steps.reduce(next, data);

const next = (data: Data, { open = unchanged, sealed }: Upcaster): Data => {
  const beside = Object.fromEntries(
    Object.keys(data).flatMap((name) => (name === 'private' ? [] : [[name, data[name]]])),
  );
  const opened = open(beside);
  if (!sealed && !Object.hasOwn(data, 'private')) return opened;
  let made: unknown;
  const get = (): unknown => {
    made ??= partAfter(data.private, beside, sealed);
    return made;
  };
  return Object.defineProperty({ ...opened }, 'private', { enumerable: true, get });
};

const partAfter = (part: unknown, beside: Data, sealed: Upcaster['sealed']): unknown => {
  const before = (part ?? {}) as Data;
  return sealed && !('redacted' in before) ? sealed(before, beside) : before;
};

const unchanged = (data: Data): Data => data;
