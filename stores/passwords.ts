/**
 * Passwords as they are stored: argon2id, in the PHC form. `verify` takes as long without a hash as with one,
 * so that nobody learns by the time whether there is one. Both throw `StoreUnavailable` when too many wait
 * for their turn.
 */
export type Passwords = Readonly<{
  hash(password: string): Promise<string>;
  verify(hash: string | null, password: string): Promise<boolean>;
}>;
