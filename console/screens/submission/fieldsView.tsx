import { useState } from 'preact/hooks';
import type { Problem } from '../../app/problem.ts';
import { Document } from './document.tsx';
import { FieldList, focusField } from './fieldList.tsx';
import type { Read } from './read.ts';

type ViewProps = Readonly<{ read: Read; mayDecide: boolean; problem: Problem | null }>;

/** The documents beside the fields: what is pointed at on one side is marked on the other. */
export const FieldsView = ({ read, mayDecide, problem }: ViewProps) => {
  const { detail, fields } = read;
  const [hovered, hover] = useState<string | null>(null);
  const [focused, focus] = useState<string | null>(null);
  const active = hovered ?? focused;
  return (
    <div class="sides">
      <Document {...{ read, active, focused }} onActive={hover} onChosen={focusField} />
      <FieldList
        submissionId={detail.id}
        {...{ fields, active, problem }}
        isEditable={mayDecide && detail.submissionStatus === 'review'}
        onFocus={focus}
        onHover={hover}
      />
    </div>
  );
};
