import type { Routing } from '../../domain/submission/routing.ts';
import type { CompanyCaller } from '../engine/access/apiKeys.ts';

/** Whether a submission is the caller's to see: every key of its company and mode may (visibility-3). */
export const visible = (
  { companyId, mode }: Pick<Routing, 'companyId' | 'mode'>,
  caller: CompanyCaller,
): boolean => companyId === caller.companyId && mode === caller.mode;
