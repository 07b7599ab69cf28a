import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem } from '../../app/problem.ts';
import { Divider, useShare } from './divider.tsx';
import { Document } from './document.tsx';
import { FieldList, focusField } from './fieldList.tsx';
import type { Read } from './read.ts';

type ViewProps = Readonly<{
  read: Read;
  mayDecide: boolean;
  problem: Problem | null;
  /** What stands above the fields. */
  children: ComponentChildren;
}>;

/** The documents beside the fields: what is pointed at on one side is marked on the other. */
export const FieldsView = ({ read, mayDecide, problem, children }: ViewProps) => {
  const { detail, fields } = read;
  const [hovered, hover] = useState<string | null>(null);
  const [focused, focus] = useState<string | null>(null);
  const divider = useShare();
  const active = hovered ?? focused;
  return (
    <div class="desk" style={{ gridTemplateColumns: `${divider.share}% 8px minmax(0, 1fr)` }}>
      <Document {...{ read, active, focused }} onActive={hover} onChosen={focusField} />
      <Divider {...divider} />
      <div class="column">
        {children}
        <FieldList
          submissionId={detail.id}
          {...{ fields, active, problem }}
          isEditable={mayDecide && detail.submissionStatus === 'review'}
          onFocus={focus}
          onHover={hover}
        />
      </div>
    </div>
  );
};
