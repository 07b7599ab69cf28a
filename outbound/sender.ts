import type { Asker, Sender } from './send.ts';

/** `resolve` is WEBHOOK_RESOLVE; `ca`: authorities to trust beside Node's own (PEM). */
type Settings = Readonly<{
  egress: 'public' | 'any';
  resolve: ReadonlyMap<string, readonly string[]>;
  ca: string | null;
}>;

/**
 * The one way out for webhooks and their tests, syncs and http extractors, which share its rule and its
 * connections. It is made for the first of them: to load an HTTP client takes a tenth of the service's start.
 * `close` ends all connections at once.
 */
export const webhookSender = ({
  webhook: { egress: rule, resolve, ca },
}: Readonly<{ webhook: Settings }>): Sender & Asker & Readonly<{ close(): Promise<void> }> => {
  let made: ReturnType<typeof make> | undefined;
  const make = async () => {
    const { createEgress } = await import('./egress.ts');
    const { createSender } = await import('./send.ts');
    const egress = createEgress({ egress: rule, resolve, ...(ca === null ? {} : { ca }) });
    return { ...createSender(egress), close: egress.close };
  };
  return {
    send: async (request) => {
      made ??= make();
      return (await made).send(request);
    },
    ask: async (question) => {
      made ??= make();
      return (await made).ask(question);
    },
    close: async () => (await made)?.close(),
  };
};
