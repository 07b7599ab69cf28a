import { fillLog } from '../../../bench/filledLog.ts';
import { WORKFLOW } from '../../../bench/service.ts';
import { administer } from '../../../commands/administer.ts';
import { systemContext } from '../../../commands/handle.ts';
import { MAX_RETENTION, noRetention } from '../../../domain/retention.ts';
import { openCoreOf } from '../../../test/support/core.ts';
import { createTenant, intake, type Settings } from '../../demo/intake.ts';
import { print } from '../../named.ts';

/** How many are no longer retained, and of how many what is private is gone. */
export type Left = Readonly<{ requested: number; done: number }>;

/** Stores with submissions that are due once the retention of their company is enforced. */
export type Due = Readonly<{
  settings: Settings;
  key: string;
  enforce(): Promise<void>;
  left(): Promise<Left>;
  close(): Promise<void>;
}>;

/** Events of a filled log are older than this. */
const DAYS = 1;

/** Appends the events of so many approved submissions of a company, and makes the read models of them. */
export const fillDue = async (settings: Settings, submissions: number): Promise<Due> => {
  const { companyId, keyId, key } = await createTenant(settings, 'Retention', WORKFLOW);
  const core = await openCoreOf(settings);
  const { models } = core.documents;
  const started = performance.now();
  await fillLog(core.log, submissions, { companyId, keyId }, false);
  await intake(settings, 'projections', 'rebuild', '--all', '--json');
  print(`${submissions} submissions are made after ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  const { changeRetention } = administer(core);
  const count = (name: string) => models.count(name, {}, submissions);
  return {
    settings,
    key,
    enforce: async () => {
      const { perDay } = MAX_RETENTION;
      const retention = { ...noRetention, submissionDays: DAYS, perDay, isEnforced: true };
      await changeRetention(companyId, retention, systemContext('retention', core.ids));
    },
    left: async () => {
      const [retained, queued] = [await count('retained'), await count('redactionQueue')];
      const requested = submissions - retained;
      return { requested, done: requested - queued };
    },
    close: core.close,
  };
};
