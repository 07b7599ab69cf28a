import { open } from '../../app/api.ts';
import { useAction } from '../../app/resource.ts';
import { Button } from '../../parts/button.tsx';
import { FileField } from '../../parts/fileField.tsx';
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
export const PackageField = ({ file, onChoose }: PackageProps) => (
  <FileField
    label={own.package}
    hint={file === null ? own.packageHint : file.name}
    accept=".zip,application/zip,.json,application/json"
    onChoose={onChoose}
  />
);
