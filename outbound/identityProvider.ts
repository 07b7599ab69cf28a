import { once } from '../kernel/once.ts';
import type { GuardedFetch } from './openIdFetch.ts';

/**
 * `issuer`: its address, as it writes it itself. `redirectUri`: where it sends browsers back to. `scopes`:
 * with spaces between.
 */
export type ProviderSettings = Readonly<{
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  redirectUri: string;
}>;

/** Why an answer was refused, for the log; the text has no values. */
export type OnRefusedAnswer = (reason: string) => void;

/**
 * An OpenID provider that the operator named. It is asked nothing before the first log-in: to load its client
 * takes a tenth of a second. `close` ends all connections at once; `around` is put around its requests.
 */
export const identityProvider = (
  settings: ProviderSettings,
  onRefused: OnRefusedAnswer,
  around?: (fetch: GuardedFetch) => GuardedFetch,
) => {
  let isMade = false;
  const provider = once(async () => {
    isMade = true;
    const { openIdProvider } = await import('./openIdProvider.ts');
    return openIdProvider(settings, onRefused, around);
  });
  type Provider = Awaited<ReturnType<typeof provider>>;
  return {
    location: async (...given: Parameters<Provider['location']>) => (await provider()).location(...given),
    claims: async (...given: Parameters<Provider['claims']>) => (await provider()).claims(...given),
    close: async (): Promise<void> => {
      if (isMade) await (await provider()).close();
    },
  };
};
