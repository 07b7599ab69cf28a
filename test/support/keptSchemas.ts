import type { Config } from '../../runtime/settings/config.ts';
import { wireCore } from '../../runtime/wire.ts';
import { eventCatalogue } from '../../schemas/events.ts';

/**
 * Reads the whole log of a service that has ended, as it is stored. Throws for an event that breaks its
 * schema.
 */
export const holdLogToSchemas = async (config: Config): Promise<void> => {
  const core = await wireCore(config);
  const { signal } = new AbortController();
  try {
    for await (const { events, live } of core.events.follow(null, { prefixes: [''], page: 500, signal })) {
      for (const event of await core.open(events)) {
        // A test may have played another release.
        const isKnown = eventCatalogue.canRead(event.type, event.metadata.schema);
        const faults = isKnown ? eventCatalogue.faults(event) : [];
        if (faults.length > 0) throw new Error(`${event.type} in ${event.stream}: ${JSON.stringify(faults)}`);
      }
      if (live) break;
    }
  } finally {
    await core.close();
  }
};
