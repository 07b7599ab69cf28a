/**
 * Identifiers set apart for what a POST makes before it makes anything: `ulid` names a new session,
 * `correlationId` the command and, in their metadata, its events. When the POST is made again after a crash,
 * it finds by them what it has done.
 */
export type Reserved = Readonly<{ ulid: string; correlationId: string }>;

/** What an Idempotency-Key is scoped to: the same key elsewhere is another one (idempotency-6). */
export type Scope = Readonly<{ callerId: string; method: string; path: string; idempotencyKey: string }>;

/** The right to answer a request, until another takes it over. `takenOver`: it may be done already. */
export type Claim = Readonly<{ key: string; version: number; reserved: Reserved; takenOver: boolean }>;

/** The state of a request with an Idempotency-Key. `O` is what its answer is kept as. */
export type Begun<O> =
  | Readonly<{ kind: 'claimed'; claim: Claim }>
  | Readonly<{ kind: 'answered'; outcome: O; reserved: Reserved }>
  | Readonly<{ kind: 'redacted' }>
  | Readonly<{ kind: 'running' }>
  | Readonly<{ kind: 'otherBody' }>;

/**
 * Records of requests with an Idempotency-Key, for 24 hours from the first one.
 *
 * `begin` claims the request, or gives its state; a claim that was not ended within 15 s may be taken over,
 * with the identifiers that were reserved first. `finish` keeps the answer, sealed under the key of the
 * subject that it is about: once that key is destroyed, the request is `redacted`, and an answer that comes
 * later is not kept. `release` lets the next request of the same body take over at once; both leave a claim
 * alone that another has taken over. `purge` removes some of the expired records; call it now and then.
 */
export type IdempotencyRecords<O> = Readonly<{
  begin(scope: Scope, body: string): Promise<Begun<O>>;
  finish(claim: Claim, outcome: O, subject: string | null): Promise<void>;
  release(claim: Claim): Promise<void>;
  purge(): Promise<void>;
}>;
