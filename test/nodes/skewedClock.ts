// Loaded before a node (`--import`): its clock differs from that of the others by CLOCK_SKEW_MS milliseconds.
const skewMs = Number(process.env.CLOCK_SKEW_MS ?? 0);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given) =>
    given.length === 0 ? new target(target.now() + skewMs) : Reflect.construct(target, given),
  get: (target, name) => (name === 'now' ? () => target.now() + skewMs : Reflect.get(target, name)),
});
