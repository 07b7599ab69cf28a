import { suite } from '../harness.ts';
import { answerTests } from './documents/answers.ts';
import { claimTests } from './documents/claims.ts';
import { collectionTests } from './documents/collections.ts';
import { endpointSecretTests } from './documents/endpointSecrets.ts';
import { leaseTests } from './documents/leases.ts';
import { modelTests } from './documents/models.ts';
import { pageTests } from './documents/pages.ts';
import { processTests } from './documents/processes.ts';
import type { Declare, Driver, Stage } from './documents/stage.ts';
import { tableTests } from './documents/tables.ts';
import { wordsTests } from './documents/words.ts';

/**
 * What every document store must do, sentence by sentence of its port. `factory` sets up empty data; each
 * suite works on its own, through two stores at once, as two processes would.
 */
export const documentStoreContract = (name: string, factory: () => Promise<Driver>): void =>
  declareParts(name, factory, PARTS);

/** The rest of the contract, in a file of its own since it takes long: what holds between processes. */
export const documentProcessesContract = (name: string, factory: () => Promise<Driver>): void =>
  declareParts(name, factory, { processes: processTests });

const declareParts = (
  name: string,
  factory: () => Promise<Driver>,
  parts: Readonly<Record<string, Declare>>,
): void => {
  for (const [part, declare] of Object.entries(parts)) {
    const test = suite(`${name}: ${part}`);
    const opened: { driver?: Driver; stage?: Stage } = {};
    test.before(async () => {
      const driver = await factory();
      opened.driver = driver;
      const { pass, now, elsewhere } = driver;
      opened.stage = { one: await driver.open(), two: await driver.open(), pass, now, elsewhere };
    });
    test.after(async () => {
      await opened.stage?.one.close();
      await opened.stage?.two.close();
      await opened.driver?.end();
    });
    declare(test, () => {
      if (!opened.stage) throw new Error('the stores are not open yet');
      return opened.stage;
    });
  }
};

const PARTS = {
  models: modelTests,
  collections: collectionTests,
  pages: pageTests,
  answers: answerTests,
  words: wordsTests,
  tables: tableTests,
  endpointSecrets: endpointSecretTests,
  leases: leaseTests,
  claims: claimTests,
};
