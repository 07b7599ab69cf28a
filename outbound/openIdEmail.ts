/** What a source of the provider says of a person's e-mail. */
type Email = Readonly<{ email?: unknown; email_verified?: unknown; sub: string }>;

/**
 * An e-mail and whether it is verified, both from one source: the ID token, else the user info; null where
 * these differ. Who chooses one of them must not have the other vouched for.
 */
export const emailOf = (token: Email, info: Email): Omit<Required<Email>, 'sub'> | null => {
  const differs = (name: 'email' | 'email_verified'): boolean =>
    token[name] !== undefined && info[name] !== undefined && token[name] !== info[name];
  if (differs('email') || differs('email_verified')) return null;
  const source = token.email !== undefined && token.email_verified !== undefined ? token : info;
  return { email: source.email, email_verified: source.email_verified };
};
