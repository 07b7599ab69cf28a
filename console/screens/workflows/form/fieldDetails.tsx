import { labelOf } from '../lines.ts';
import { put, valueAt } from './definition.ts';
import type { Editing } from './editing.ts';
import { textOf } from './fieldRow.tsx';
import { FIELDS } from './fields.ts';
import { TryPattern } from './pattern.tsx';
import { numberIn, Typed } from './setting.tsx';

type DetailsProps = Readonly<{ editing: Editing; index: number }>;

const textIn = (text: string): string | undefined => text || undefined;

/** What a field may have besides: what it is, and what its text must be. */
export const FieldDetails = ({ editing, index }: DetailsProps) => {
  const at = `${FIELDS}/${index}`;
  const common = (of: string) => ({
    label: labelOf(`field.${of.replace('/', '.')}`),
    value: valueAt(editing.definition, `${at}/${of}`),
    fault: editing.faultAt(`${at}/${of}`),
    onInput: (value: unknown) => editing.change(put(editing.definition, `${at}/${of}`, value), `${at}/${of}`),
  });
  const pattern = valueAt(editing.definition, `${at}/validation/pattern`);
  return (
    <>
      <Typed {...common('description')} read={textIn} />
      <div class="filters">
        <Typed {...common('validation/minLength')} read={numberIn} />
        <Typed {...common('validation/maxLength')} read={numberIn} />
        <Typed {...common('validation/pattern')} read={textIn} />
        {pattern !== undefined && <TryPattern pattern={textOf(pattern)} />}
      </div>
    </>
  );
};
