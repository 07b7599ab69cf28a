/** A key of Standard Webhooks: base64 of 16 bytes or more. */
const KEY = /^whsec_[A-Za-z0-9+/]{22,}={0,2}$/;

/**
 * The secret in a setting that a workflow version names; null where it is not set, or begins with `whsec_` and is no key in base64: that would
 * sign with what everybody can guess.
 */
export const signingSecret = (
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | null => {
  const secret = (Object.hasOwn(environment, name) && environment[name]) || null;
  return secret?.startsWith('whsec_') && !KEY.test(secret) ? null : secret;
};
