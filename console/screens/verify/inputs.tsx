import { useState } from 'preact/hooks';
import { open } from '../../app/api.ts';
import { useAction } from '../../app/resource.ts';
import { Button } from '../../parts/button.tsx';
import { FormField } from '../../parts/formField.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { say, texts } from '../../texts.ts';

const own = texts.verify;

type KeyProps = Readonly<{
  value: string;
  /** The identifier of the key; null for none. */
  id: string | null;
  isWrong: boolean;
  onInput(value: string): void;
  onForget(): void;
}>;

/** The public key of who exported: pasted, or that of the service where this page comes from. */
export const KeyField = ({ value, id, isWrong, onInput, onForget }: KeyProps) => {
  const { isRunning, problem, start } = useAction();
  const take = (): Promise<boolean> =>
    start(async () => {
      const { publicKey } = await open.get('/api/v1/evidence-key');
      onInput(publicKey);
    });
  return (
    <>
      <FormField label={own.key} hint={own.keyHint} fault={isWrong ? own.wrongKey : null}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            spellcheck={false}
            value={value}
            onInput={({ currentTarget }) => onInput(currentTarget.value)}
          />
        )}
      </FormField>
      <p class="actions">
        <Button disabled={isRunning} onClick={take}>
          {own.takeKey}
        </Button>
        <Button onClick={onForget}>{own.forgetKey}</Button>
        <span role="status">{id && say(own.keyIs, { id })}</span>
      </p>
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
};

type PackageProps = Readonly<{ file: File | null; onChoose(file: File): void }>;

/** The package: chosen, or dropped. */
export const PackageField = ({ file, onChoose }: PackageProps) => {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer?.files[0];
    if (dropped) onChoose(dropped);
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file can be chosen with the control in it, too
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FormField label={own.package} hint={file === null ? own.packageHint : file.name}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".zip,application/zip,.json,application/json"
            onChange={({ currentTarget }) => {
              const chosen = currentTarget.files?.[0];
              if (chosen) onChoose(chosen);
            }}
          />
        )}
      </FormField>
    </div>
  );
};
