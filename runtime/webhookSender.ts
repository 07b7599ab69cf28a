import type { Asker, Sender } from '../reactors/webhooks/send.ts';
import type { Config } from './config.ts';

/**
 * The one way out for webhooks and their tests, syncs and http extractors, which share its rule and its connections. It is made for the first of
 * them: to load an HTTP client takes a tenth of the service's start. `close` ends all connections at once.
 */
export const webhookSender = ({
  webhook: { egress: rule, resolve, ca },
}: Config): Sender & Asker & Readonly<{ close(): Promise<void> }> => {
  let made: ReturnType<typeof make> | undefined;
  const make = async () => {
    const { createEgress } = await import('../reactors/webhooks/egress.ts');
    const { createSender } = await import('../reactors/webhooks/send.ts');
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
