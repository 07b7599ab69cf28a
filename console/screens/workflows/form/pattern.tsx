import { useEffect, useState } from 'preact/hooks';
import { TextField } from '../../../parts/formField.tsx';
import { texts } from '../../../texts.ts';
import { matches } from '../../submission/pattern.ts';

const own = texts.workflows.editor;

type Verdict = keyof typeof own.verdicts;

/** Whether a text matches a pattern, as it is typed; null before that is known, or where there is no text. */
const useVerdict = (pattern: string, text: string): Verdict | null => {
  const [found, setFound] = useState<Readonly<{ of: string; verdict: Verdict }> | null>(null);
  const of = JSON.stringify([pattern, text]);
  useEffect(() => {
    if (text === '') return;
    let isCurrent = true;
    const settle = (verdict: Verdict): void => void (isCurrent && setFound({ of, verdict }));
    void matches(pattern, text).then((is) => settle(is === null ? 'unknown' : is ? 'fits' : 'differs'));
    return () => {
      isCurrent = false;
    };
  }, [of]);
  return text !== '' && found?.of === of ? found.verdict : null;
};

/** Tries a pattern with a text that is typed here alone. */
export const TryPattern = ({ pattern }: Readonly<{ pattern: string }>) => {
  const [text, setText] = useState('');
  const verdict = useVerdict(pattern, text);
  return (
    <div>
      <TextField label={own.tryText} value={text} onInput={setText} autocomplete="off" />
      <p role="status">{verdict && own.verdicts[verdict]}</p>
    </div>
  );
};
