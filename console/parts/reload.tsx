import { useKeys } from '../app/keys.ts';
import { texts } from '../texts.ts';
import { Button } from './button.tsx';

type ReloadProps = Readonly<{ text?: string; run(): void }>;

/** Reads what a screen shows again; so does the key `u`. */
export const Reload = ({ text = texts.submission.reload, run }: ReloadProps) => {
  useKeys([{ key: 'u', text, run }]);
  return <Button onClick={run}>{text}</Button>;
};
