import { type Basis, type LegalBasis, legalBases } from '../domain/redactionBasis.ts';
import { oneOf } from './arguments.ts';
import type { Command } from './commandLine.ts';

/** A command that redacts: why, on which basis, and who asked for it. */
export const withBasis = (command: Command): Command =>
  command
    .requiredOption('--reason <text>', 'why; it is kept, so it must name nobody')
    .requiredOption(
      '--legal-basis <basis>',
      `what it is based on: ${legalBases.join(', ')}`,
      oneOf(legalBases),
    )
    .option('--requested-by <text>', 'who asked for it, such as the number of a ticket');

/** What these options give. */
export type GivenBasis = Readonly<{ reason: string; legalBasis: LegalBasis; requestedBy?: string }>;

/** The same, for a command on the stores. */
export const basisOf = ({ reason, legalBasis, requestedBy }: GivenBasis): Basis => ({
  reason,
  legalBasis,
  requestedBy: requestedBy ?? null,
});
