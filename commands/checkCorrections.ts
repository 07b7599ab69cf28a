import type { ExtractedData } from '../domain/submission/processingResult.ts';
import type { OutputField } from '../domain/workflow.ts';
import { DomainError } from '../kernel/decider.ts';
import { escapePointer, type Fault } from '../kernel/fault.ts';
import { faultOf } from '../schemas/ajv.ts';
import { typeFaults } from '../schemas/fieldValues.ts';
import type { MatchPatterns, Verdict } from '../schemas/patterns.ts';

type Corrections = ExtractedData;

export type CheckCorrections = ReturnType<typeof checkCorrections>;

/**
 * Checks each correction against its own field, as the version's `outputJsonSchema` has it; missing fields
 * are no fault. Patterns are checked outside the event loop, for values without other faults. Throws
 * `CorrectionsRefused` with every fault in `facts.errors`, and `PatternsBusy`.
 */
export const checkCorrections =
  (matchPatterns: MatchPatterns) =>
  async (companyId: string, corrections: Corrections, fields: readonly OutputField[]): Promise<void> => {
    const entries = Object.entries(corrections).map(([name, value]) => ({
      pointer: `/corrections/${escapePointer(name)}`,
      value,
      field: fields.find((field) => field.name === name),
    }));
    const valueAndNameFaults = entries.flatMap(({ pointer, value, field }) =>
      field ? valueFaults(pointer, value, field) : [{ pointer, detail: UNKNOWN }],
    );
    const invalid = new Set(valueAndNameFaults.map(({ pointer }) => pointer));
    const patterned = entries.flatMap(({ pointer, value, field }) => {
      const pattern = field?.validation?.pattern;
      const isChecked = pattern !== undefined && typeof value === 'string' && !invalid.has(pointer);
      return field && isChecked ? [{ pointer, field, question: { pattern, text: value } }] : [];
    });
    const verdicts = await matchPatterns(
      companyId,
      patterned.map(({ question }) => question),
    );
    const ofPatterns = patterned.flatMap(({ pointer, field, question }, index): readonly Fault[] => {
      const { description } = field;
      return patternFaults(pointer, question.pattern, description, verdicts[index]);
    });
    const errors = [...valueAndNameFaults, ...ofPatterns];
    if (errors.length > 0)
      throw new DomainError(
        'CorrectionsRefused',
        'The corrections break the schema of the workflow version.',
        { errors },
      );
  };

const UNKNOWN = 'is not a field of the workflow version';

/** The faults of a value except those of its pattern; null clears a field. */
const valueFaults = (
  pointer: string,
  value: unknown,
  { type, validation }: OutputField,
): readonly Fault[] => {
  if (value === null) return [];
  const faults = typeFaults(type, value);
  if (faults.length > 0 || typeof value !== 'string')
    return faults.map(({ detail }) => ({ pointer, detail }));
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = validation ?? {};
  const length = [...value].length;
  const broken = (keyword: string, limit: number): Fault =>
    faultOf({ keyword, instancePath: pointer, params: { limit } });
  return [
    ...(length < minLength ? [broken('minLength', minLength)] : []),
    ...(length > maxLength ? [broken('maxLength', maxLength)] : []),
  ];
};

const patternFaults = (
  pointer: string,
  pattern: string,
  description: string | null,
  verdict: Verdict | undefined,
): readonly Fault[] => {
  switch (verdict) {
    case 'matches':
      return [];
    case 'differs':
      return [
        faultOf({
          keyword: 'pattern',
          instancePath: pointer,
          params: { pattern },
          parentSchema: { description },
        }),
      ];
    case 'late':
      return [{ pointer, detail: `took too long to check against its pattern ${pattern}` }];
    default:
      return [
        { pointer, detail: 'was not checked against its pattern: those of other fields took too long' },
      ];
  }
};
