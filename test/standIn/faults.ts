import type { Endpoint } from '../../stores/events/eventstoredb/address.ts';

/** What is wrong with a stand-in; all well at first. To be changed at any time. */
export type Faults = {
  /** Nothing is answered, nor stored. */
  stalled: boolean;
  /** Every answer to an append comes so many milliseconds late. */
  delayMs: number;
  /** So many appends are stored, but never answered. */
  answersToLose: number;
  /** What is refused, and how. */
  refuses: 'nothing' | 'all' | 'authentication' | '$all' | 'positions' | 'writing' | 'appends';
  /** Another node leads: this one says so to whoever asks for the leader. */
  leader: Endpoint | null;
  /** It knows no leader, as a node that is starting or has no data yet. */
  leaderless: boolean;
  /** Repetitions are answered without their position. */
  positionless: boolean;
  /**
   * Subscriptions get checkpoints that lie behind what was sent, or name the log's end; and are told over and
   * over that they fell behind.
   */
  oddControls: boolean;
  /** What the server says it is. */
  version: string;
};

export const well = (): Faults => ({
  stalled: false,
  delayMs: 0,
  answersToLose: 0,
  refuses: 'nothing',
  leader: null,
  leaderless: false,
  positionless: false,
  oddControls: false,
  version: '24.10.0',
});
