/** As much of the package as the tests use: it brings no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    Grant: new (
      of: Readonly<{ clientId: string; accountId: string }>,
    ) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    /** The answer of the token endpoint. */
    on(event: 'grant.success', listener: (context: { body: Record<string, unknown> }) => void): void;
  }
}
