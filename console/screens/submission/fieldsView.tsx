import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../app/problem.ts';
import { place } from '../../app/router.ts';
import { Divider, useShare } from './divider.tsx';
import { Document } from './document.tsx';
import { draftFrom, usePlaced } from './drafts.ts';
import { FieldList, focusField } from './fieldList.tsx';
import type { Read } from './read.ts';
import { inputs } from './typing.ts';
import type { Take } from './words.tsx';

type ViewProps = Readonly<{
  read: Read;
  mayDecide: boolean;
  problem: Problem | null;
  /** What stands above the fields. */
  children: ComponentChildren;
}>;

/**
 * The documents beside the fields: what is pointed at on one side is marked on the other. A link may name the
 * field that has the focus at first.
 */
export const FieldsView = ({ read, mayDecide, problem, children }: ViewProps) => {
  const { detail, fields } = read;
  const [hovered, hover] = useState<string | null>(null);
  const [focused, focus] = useState<string | null>(null);
  const divider = useShare();
  useEffect(() => {
    const named = place.get().query.get('field');
    if (named !== null) focusField(named);
  }, []);
  const active = hovered ?? focused;
  const isEditable = mayDecide && detail.submissionStatus === 'review';
  const placed = usePlaced(detail.id, fields);
  const field = fields.find(
    ({ name, type }) => name === focused && !['choice', 'grid'].includes(inputs[type].control),
  );
  const take: Take | null = field ? (text, place) => draftFrom(detail.id, field, text, place) : null;
  return (
    <div class="desk" style={{ gridTemplateColumns: `${divider.share}% 8px minmax(0, 1fr)` }}>
      <Document
        {...{ active, focused }}
        {...(isEditable && { take })}
        read={{ ...read, fields: placed }}
        onActive={hover}
        onChosen={focusField}
      />
      <Divider {...divider} />
      <div class="column">
        {children}
        <FieldList
          submissionId={detail.id}
          {...{ fields, active, problem, isEditable }}
          onFocus={focus}
          onHover={hover}
        />
      </div>
    </div>
  );
};
