import { useState } from 'preact/hooks';
import { FormField } from './formField.tsx';

type FileProps = Readonly<{
  label: string;
  hint: string;
  /** What may be chosen, as an input has it; absent for any. */
  accept?: string;
  disabled?: boolean;
  onChoose(file: File): void;
}>;

/** A file: chosen, or dropped. */
export const FileField = ({ label, hint, accept, disabled = false, onChoose }: FileProps) => {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer?.files[0];
    if (dropped && !disabled) onChoose(dropped);
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
      <FormField label={label} hint={hint}>
        {(control) => (
          <input
            {...control}
            type="file"
            {...(accept && { accept })}
            disabled={disabled}
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
