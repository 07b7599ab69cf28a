import { useEffect, useRef } from 'preact/hooks';
import type { Fault } from '../../../client/api.ts';
import { FormField } from '../../parts/formField.tsx';
import { say, texts } from '../../texts.ts';
import { Faults } from './faults.tsx';

const own = texts.workflows.editor;

type JsonProps = Readonly<{
  text: string;
  type(text: string): void;
  faults: readonly Fault[];
  /** Differs with each check. */
  checked: unknown;
}>;

/** The JSON of the definition, and below it what the service refuses. */
export const Json = ({ text, type, faults, checked }: JsonProps) => {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (faults.length > 0) area.current?.focus();
  }, [checked]);
  return (
    <>
      <FormField
        label={own.definition}
        hint={own.hint}
        fault={faults.length > 0 ? say(own.faulty, { count: faults.length }) : null}
      >
        {(control) => (
          <textarea
            {...control}
            ref={area}
            class="code"
            spellcheck={false}
            rows={24}
            value={text}
            onInput={(event) => type(event.currentTarget.value)}
          />
        )}
      </FormField>
      {faults.length > 0 && <Faults text={text} faults={faults} area={area} />}
    </>
  );
};
