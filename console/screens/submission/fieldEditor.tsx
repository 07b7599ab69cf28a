import { useRef } from 'preact/hooks';
import type { Problem } from '../../app/problem.ts';
import { Button } from '../../parts/button.tsx';
import { ConfidenceMark } from '../../parts/marks.tsx';
import { texts } from '../../texts.ts';
import { faultOf } from './fieldFault.ts';
import { asText, certainty, type Field, isSame, shownAs } from './fields.ts';
import { Grid } from './grid.tsx';
import { useMatch } from './pattern.ts';
import { inputs, typed, understoodAs } from './typing.ts';

const own = texts.fields;

type EditorProps = Readonly<{
  field: Field;
  /** What was typed; undefined where nothing was. */
  text: string | undefined;
  isActive: boolean;
  isEditable: boolean;
  /** The refusal of the last decision, which may name this field. */
  problem: Problem | null;
  onType(text: string | null): void;
  onFocus(name: string | null): void;
  onHover(name: string | null): void;
}>;

/**
 * A field of the submission: its value, how surely it was read, what the machine read, and what is wrong with
 * it.
 */
export const FieldEditor = (props: EditorProps) => {
  const { field, text, isActive, isEditable, problem, onType, onFocus, onHover } = props;
  const { name, label, required, value } = field;
  const shown = text ?? asText(value);
  const understood = understoodAs(field, shown);
  const fits = useMatch(text === undefined ? null : field.validation?.pattern, understood);
  const fault = text === undefined ? null : faultOf(field, text, problem, fits);
  const isGrid = inputs[field.type].control === 'grid';
  const [id, more] = [`field-${name}`, `field-${name}-more`];
  const type = (next: string): void => onType(next === asText(value) ? null : next);
  /** A date is shown in the form in which it is sent. */
  const leave = (): void => {
    onFocus(null);
    if (inputs[field.type].control === 'date' && text !== undefined && 'value' in typed(field, text))
      type(understood);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only shows the place of its value, which the focus does too
    <div
      class={`value ${isGrid ? 'wide' : ''} ${certainty(field)} ${isActive ? 'active' : ''} ${fault ? 'faulty' : ''}`}
      onMouseEnter={() => onHover(name)}
      onMouseLeave={() => onHover(null)}
    >
      <label for={id}>
        {label}
        {required && <span title={own.required}> *</span>}
      </label>
      <ConfidenceMark certainty={certainty(field)} />
      <Control
        {...{ field, id, more, shown, isEditable, type, isFaulty: fault !== null }}
        onFocus={() => onFocus(name)}
        onBlur={leave}
      />
      <div id={more} class="more">
        {fault && <p class="fault">{fault}</p>}
        {!fault && !isGrid && text !== undefined && understood !== shown.trim() && (
          <p>
            {own.understood} <q>{understood}</q>
          </p>
        )}
        <Said {...props} />
      </div>
    </div>
  );
};

/** Why a person must look at a field, and what the machine read where the field says something else. */
const Said = ({ field, text, isEditable, onType }: EditorProps) => {
  const { label, value, machine, reasons } = field;
  return (
    <>
      {reasons.map((code) => (
        <p key={code}>{own.reasons[code]}</p>
      ))}
      {(text !== undefined || !isSame(value, machine)) && (
        <p>
          {own.machine} <q>{shownAs(machine) || own.nothing}</q>
          {text !== undefined && isEditable && machine !== null && (
            <Button class="plain" onClick={() => onType(null)}>
              {own.restore}
              <span class="hidden"> ({label})</span>
            </Button>
          )}
        </p>
      )}
    </>
  );
};

/** Characters of a line, about. */
const LINE = 40;

type ControlProps = Readonly<{
  field: Field;
  id: string;
  more: string;
  shown: string;
  isEditable: boolean;
  isFaulty: boolean;
  type(text: string): void;
  onFocus(): void;
  onBlur(): void;
}>;

const Control = ({ field, id, more, isFaulty, onFocus, onBlur, ...control }: ControlProps) => {
  const isPointed = useRef(false);
  /** Who comes by key types over the whole value; a pointer has its own place in it. */
  const focused = ({ currentTarget }: Readonly<{ currentTarget: EventTarget }>): void => {
    if (!isPointed.current && !(currentTarget instanceof HTMLSelectElement))
      (currentTarget as HTMLInputElement | HTMLTextAreaElement).select();
    onFocus();
  };
  const common = {
    ...{ id, onBlur, onFocus: focused },
    onPointerDown: () => {
      isPointed.current = true;
    },
    onPointerUp: () => {
      isPointed.current = false;
    },
    'aria-describedby': more,
    'aria-invalid': isFaulty,
    'data-value': field.name,
  };
  const kind = inputs[field.type].control;
  if (kind === 'grid') return <Grid {...{ field, id, isFaulty, onFocus, onBlur, ...control }} />;
  return kind === 'choice' ? (
    <Choice common={common} {...control} />
  ) : (
    <Line common={common} kind={kind} {...control} />
  );
};

type OwnProps = Pick<ControlProps, 'shown' | 'isEditable' | 'type'> & Readonly<{ common: object }>;

const Choice = ({ common, shown, isEditable, type }: OwnProps) => (
  <select
    {...common}
    disabled={!isEditable}
    value={shown}
    onChange={(event) => type(event.currentTarget.value)}
  >
    <option value="">{own.nothing}</option>
    <option value="true">{own.yes}</option>
    <option value="false">{own.no}</option>
  </select>
);

type LineProps = OwnProps & Readonly<{ kind: 'lines' | 'number' | 'date' }>;

/** A text grows with what is in it; other values are short. */
const Line = ({ common, shown, isEditable, type, kind }: LineProps) => {
  const control = {
    ...common,
    dir: 'auto' as const,
    autocomplete: 'off',
    spellcheck: false,
    readOnly: !isEditable,
    value: shown,
    onInput: (event: Readonly<{ currentTarget: HTMLInputElement | HTMLTextAreaElement }>) =>
      type(event.currentTarget.value),
  };
  // Rows are for browsers whose style can't follow the text.
  if (kind === 'lines') return <textarea {...control} rows={Math.ceil((shown.length + 1) / LINE)} />;
  return (
    <input
      {...control}
      type="text"
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      placeholder={kind === 'date' && isEditable ? own.dateForm : ''}
    />
  );
};
