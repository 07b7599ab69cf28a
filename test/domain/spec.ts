import * as assert from 'uvu/assert';
import { type Decider, DomainError } from '../../kernel/decider.ts';
import type { Event } from '../../kernel/event.ts';

/** Given these events, when this command comes: then these events follow, or this rule is broken. */
export const given = <S, C, E extends Event>(decider: Decider<S, C, E>, ...past: readonly E[]) => {
  const state = past.reduce(decider.evolve, decider.initial);
  return {
    state,
    when: (command: C) => ({
      then: (...expected: readonly E[]): void => assert.equal(decider.decide(command, state), expected),
      thenTypes: (...types: readonly E['type'][]): readonly E[] => {
        const events = decider.decide(command, state);
        assert.equal(
          events.map(({ type }) => type),
          types,
        );
        return events;
      },
      thenState: (): S => decider.decide(command, state).reduce(decider.evolve, state),
      thenRefused: (name: string): DomainError => {
        try {
          decider.decide(command, state);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          assert.is(error.name, name);
          return error;
        }
        return assert.unreachable(`${name} was not thrown`) as never;
      },
    }),
  };
};
