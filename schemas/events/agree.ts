import type { Of, TSchema } from '../../kernel/schema.ts';
import type { EventEntry, StreamEntry } from './event.ts';

type AnyEvent = Readonly<{ type: string; data: unknown }>;

/**
 * The types among the events `E` whose data differ from the last of their schemas in `S`, and the types of one that the other lacks: none, or the
 * catalogue is not to be trusted.
 */
export type Differing<S extends StreamEntry, E extends AnyEvent> =
  | Exclude<TypeIn<S>, E['type']>
  | {
      [T in E['type']]: Same<Written<EntryOf<S, T>>, Extract<E, { type: T }>['data']> extends true
        ? never
        : T;
    }[E['type']];

/** Holds at compile time that there is nothing in a list of faults; the error names what is. */
export type None<T extends never> = T;

/** Whether two types are the same, whatever they are put together from: an optional member more or less is a difference. */
export type Same<A, B> =
  (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;

type TypeIn<S extends StreamEntry> = S extends StreamEntry ? keyof S['events'] & string : never;
type EntryOf<S extends StreamEntry, T extends string> = S extends StreamEntry
  ? T extends keyof S['events']
    ? S['events'][T]
    : never
  : never;
type Written<Entry> = Entry extends EventEntry
  ? Entry['versions'] extends readonly [...TSchema[], infer Last extends TSchema]
    ? Of<Last>
    : never
  : never;

type Flat<T> = T extends readonly (infer Item)[]
  ? readonly Flat<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Flat<T[Name]> }
    : T;
