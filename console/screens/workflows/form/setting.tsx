import { useId, useState } from 'preact/hooks';
import { member } from '../../../app/members.ts';
import { FormField } from '../../../parts/formField.tsx';
import { texts } from '../../../texts.ts';
import { labelOf, wordOf } from '../lines.ts';
import { put, textsAt, valueAt } from './definition.ts';
import type { Editing } from './editing.ts';
import { pointerOf, type Setting as SettingOf } from './settings.ts';

const own = texts.workflows.editor;

type SettingProps = Readonly<{ setting: SettingOf; editing: Editing }>;

/** The control of a setting of a definition. */
export const Setting = ({ setting, editing }: SettingProps) => {
  const pointer = pointerOf(setting);
  const value = valueAt(editing.definition, pointer);
  const change = (next: unknown): void => editing.change(put(editing.definition, pointer, next), pointer);
  const common = { label: labelOf(setting.key), fault: editing.faultAt(pointer) };
  switch (setting.control) {
    case 'text':
      return (
        <Typed
          {...common}
          value={value}
          read={(text) => (text === '' && !setting.isRequired ? undefined : text)}
          onInput={change}
        />
      );
    case 'number':
      return <Typed {...common} value={value} read={numberIn} onInput={change} />;
    case 'lines':
      return <Lines {...common} value={textsAt(editing.definition, pointer)} onInput={change} />;
    case 'yesNo':
      return <Choice {...common} value={value} options={[true, false]} onChange={change} />;
    case 'choice':
      return <Choice {...common} value={value} options={setting.options} onChange={change} />;
    case 'many':
      return (
        <Many
          {...common}
          chosen={textsAt(editing.definition, pointer)}
          options={setting.options}
          onChange={change}
        />
      );
    default:
      return setting satisfies never;
  }
};

type Common = Readonly<{ label: string; fault: string | null }>;

/** A number, with either mark of decimals; the text itself where it is none, or may be two. */
export const numberIn = (text: string): number | string | undefined => {
  const trimmed = text.trim();
  const value = Number(trimmed.replace(',', '.'));
  const isEither = /^-?\d+,\d{3}$/.test(trimmed);
  return trimmed === '' ? undefined : Number.isFinite(value) && !isEither ? value : text;
};

const asText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

type TypedProps = Common &
  Readonly<{ value: unknown; read(text: string): unknown; onInput(value: unknown): void }>;

/** A line that is typed: as it was typed, for as long as it says what the definition has. */
export const Typed = ({ label, fault, value, read, onInput }: TypedProps) => {
  const [text, setText] = useState('');
  return (
    <FormField label={label} fault={fault}>
      {(control) => (
        <input
          {...control}
          value={read(text) === value ? text : asText(value)}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            onInput(read(currentTarget.value));
          }}
        />
      )}
    </FormField>
  );
};

type LinesProps = Common & Readonly<{ value: readonly string[]; onInput(value: readonly string[]): void }>;

const linesIn = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

const Lines = ({ label, fault, value, onInput }: LinesProps) => {
  const [text, setText] = useState('');
  const isSame = linesIn(text).join('\n') === value.join('\n');
  return (
    <FormField label={label} hint={own.lines} fault={fault}>
      {(control) => (
        <textarea
          {...control}
          rows={3}
          value={isSame ? text : value.join('\n')}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            onInput(linesIn(currentTarget.value));
          }}
        />
      )}
    </FormField>
  );
};

type ChoiceProps = Common &
  Readonly<{ value: unknown; options: readonly unknown[]; onChange(value: unknown): void }>;

/** One of some values; the first choice leaves it to the service. */
const Choice = ({ label, fault, value, options, onChange }: ChoiceProps) => {
  // What the definition says stays, whether it is right or not.
  const all = value === undefined || options.includes(value) ? options : [...options, value];
  return (
    <FormField label={label} fault={fault}>
      {(control) => (
        <select
          {...control}
          value={String(all.indexOf(value))}
          onChange={({ currentTarget }) => onChange(all[Number(currentTarget.value)])}
        >
          <option value="-1">{own.usual}</option>
          {all.map((option, index) => (
            <option key={asText(option)} value={String(index)}>
              {wordOf(option)}
            </option>
          ))}
        </select>
      )}
    </FormField>
  );
};

type ManyProps = Common &
  Readonly<{
    chosen: readonly string[];
    options: readonly string[];
    onChange(chosen: readonly string[]): void;
  }>;

const Many = ({ label, fault, chosen, options, onChange }: ManyProps) => {
  const id = useId();
  const checks: Readonly<Record<string, string>> = texts.matches.checks;
  const toggle = (option: string): void =>
    onChange(chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option]);
  return (
    <fieldset class={fault ? 'reasons faulty' : 'reasons'} aria-describedby={fault ? id : undefined}>
      <legend>{label}</legend>
      {[...new Set([...options, ...chosen])].map((option) => (
        <label key={option} class="check">
          <input type="checkbox" checked={chosen.includes(option)} onChange={() => toggle(option)} />{' '}
          {member(checks, option) ?? wordOf(option)}
        </label>
      ))}
      {fault && (
        <small id={id} class="fault">
          {fault}
        </small>
      )}
    </fieldset>
  );
};
