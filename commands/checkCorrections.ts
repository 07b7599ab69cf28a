import type { ExtractedData, FieldValue, TableRow } from '../domain/submission/processingResult.ts';
import { brokenLength } from '../domain/textLengths.ts';
import type { OutputColumn, OutputField } from '../domain/workflow.ts';
import { DomainError } from '../kernel/decider.ts';
import { escapePointer, type Fault, faultsUnder } from '../kernel/fault.ts';
import { faultOf } from '../schemas/ajv.ts';
import { fieldFaults } from '../schemas/fieldValues.ts';
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
    const patterned = entries.flatMap(textsIn).flatMap(({ pointer, text, rules }) => {
      const pattern = rules.validation?.pattern;
      const isChecked = pattern !== undefined && !invalid.has(pointer);
      return isChecked ? [{ pointer, rules, question: { pattern, text } }] : [];
    });
    const verdicts = await matchPatterns(
      companyId,
      patterned.map(({ question }) => question),
    );
    const ofPatterns = patterned.flatMap(({ pointer, rules, question }, index): readonly Fault[] => {
      return patternFaults(pointer, question.pattern, rules.description, verdicts[index]);
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

type Entry = Readonly<{ pointer: string; value: FieldValue; field: OutputField | undefined }>;
type PlacedText = Readonly<{ pointer: string; text: string; rules: OutputField | OutputColumn }>;

/** The texts of a value with the rules that each must keep: of a table those of its cells (tables-4). */
const textsIn = ({ pointer, value, field }: Entry): readonly PlacedText[] => {
  if (!field) return [];
  if (typeof value === 'string') return [{ pointer, text: value, rules: field }];
  if (!Array.isArray(value)) return [];
  const { columns = [] } = field;
  return value.flatMap((row: TableRow, index) =>
    columns.flatMap((rules) => {
      const text = Object.hasOwn(row, rules.name) ? row[rules.name] : null;
      return typeof text === 'string' ? [{ pointer: `${pointer}/${index}/${rules.name}`, text, rules }] : [];
    }),
  );
};

/** The faults of a value except those of its patterns; null clears a field. */
const valueFaults = (pointer: string, value: FieldValue, field: OutputField): readonly Fault[] => {
  if (value === null) return [];
  const faults = fieldFaults(field, value);
  if (faults.length > 0) return faultsUnder(pointer, faults);
  return textsIn({ pointer, value, field }).flatMap(lengthFaults);
};

const lengthFaults = ({ pointer, text, rules: { validation } }: PlacedText): readonly Fault[] => {
  const keyword = brokenLength(text, validation);
  return keyword === null
    ? []
    : [faultOf({ keyword, instancePath: pointer, params: { limit: validation?.[keyword] } })];
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
