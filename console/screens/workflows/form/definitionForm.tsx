import { useEffect, useRef } from 'preact/hooks';
import type { Fault } from '../../../../client/api.ts';
import { Notice } from '../../../parts/notice.tsx';
import { say, texts } from '../../../texts.ts';
import type { Unchecked } from '../faults.tsx';
import { type Editing, placed } from './editing.ts';
import { FieldTable } from './fieldTable.tsx';
import { Setting } from './setting.tsx';
import { groupsOf, pointerOf } from './settings.ts';

const own = texts.workflows.editor;

type FormProps = Readonly<{
  definition: Unchecked;
  /** Whether its name in addresses can still be chosen. */
  isNew: boolean;
  /** What the last check refused, without what was changed since. */
  faults: readonly Fault[];
  /** Differs with each check. */
  checked: unknown;
  change: Editing['change'];
}>;

/** The definition as a form; what it has no control for stays as it is in the JSON. */
export const DefinitionForm = ({ definition, isNew, faults, checked, change }: FormProps) => {
  const all = placed(definition, isNew, faults);
  const others = all.filter(({ control }) => control === '');
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (all.length > 0)
      form.current
        ?.querySelector<HTMLElement>('.faulty :is(input, select, textarea), .fault[tabindex]')
        ?.focus();
  }, [checked]);
  const faultAt = (pointer: string): string | null =>
    all
      .filter(({ control }) => control === pointer)
      .map(({ detail }) => detail)
      .join('; ') || null;
  const editing: Editing = { definition, change, faultAt };
  return (
    <div ref={form}>
      {all.length > 0 && <Notice kind="bad">{say(own.faulty, { count: all.length })}</Notice>}
      {others.map(({ place, detail }) => (
        <p key={`${place} ${detail}`} class="fault" tabIndex={-1}>
          <code>{place.slice(1).replaceAll('/', ' › ')}</code> {detail}
        </p>
      ))}
      <h2>{texts.workflows.fields}</h2>
      <FieldTable editing={editing} />
      {groupsOf(definition, isNew).map(({ name, settings }) => (
        <section key={name}>
          <h2>{own.groups[name]}</h2>
          <div class="filters">
            {settings.map((setting) => (
              <Setting key={pointerOf(setting)} setting={setting} editing={editing} />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
};
