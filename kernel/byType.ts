import type { Event } from './event.ts';

/**
 * The state after one more event of its type. The type is that of a method, whose parameters TypeScript
 * compares loosely: so a fold of certain events is also one of any event.
 */
type Fold<S, E extends Event> = { fold(state: S, data: E['data']): S }['fold'];

/** A fold for each event type. */
export type Folds<S, E extends Event> = Readonly<{ [One in E as One['type']]: Fold<S, One> }>;

/** The `evolve` of these folds. */
export const evolveBy =
  <S, E extends Event>(folds: Folds<S, E>) =>
  (state: S, { type, data }: E): S =>
    named<Fold<S, Event>>(folds, type)(state, data);

/** The events that a command leads to; `input` is the command without its `type`. A method, as above. */
type Decision<S, E extends Event> = { decide(input: object, state: S): readonly E[] }['decide'];

/** A decision for each command, by its type. */
export type Decisions<S, E extends Event> = Readonly<Record<string, Decision<S, E>>>;

/** The commands that these decisions take. */
export type CommandOf<D> = {
  [T in keyof D & string]: Readonly<{ type: T }> &
    (D[T] extends (input: infer Input, ...others: never) => unknown ? Input : never);
}[keyof D & string];

/** The `decide` of these decisions. */
export const decideBy =
  <S, E extends Event, D extends Decisions<S, E>>(decisions: D) =>
  ({ type, ...input }: CommandOf<D>, state: S): readonly E[] =>
    named<Decision<S, E>>(decisions, type)(input, state);

// Of its own members only: a stored type may be `constructor`.
const named = <F>(functions: Readonly<Record<string, F>>, type: string): F => {
  const found = Object.hasOwn(functions, type) ? functions[type] : undefined;
  if (!found) throw new Error(`there is no function for the type ${type}`);
  return found;
};
