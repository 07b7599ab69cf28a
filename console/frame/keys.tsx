import { useState } from 'preact/hooks';
import { boundKeys, singleKeys, turnSingleKeys, useKeyboard, useKeys } from '../app/keys.ts';
import { useStore } from '../app/store.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { texts } from '../texts.ts';

/** Listens to the keys of all components, and shows them on `?`. */
export const Keys = () => {
  const [isOpen, open] = useState(false);
  useKeyboard();
  useKeys([{ key: '?', text: texts.keys.help, run: () => open(true) }]);
  return (
    <>
      <Button class="plain" onClick={() => open(true)}>
        <kbd>?</kbd> <span class="word">{texts.keys.title}</span>
      </Button>
      {isOpen && <KeyDialog onClose={() => open(false)} />}
    </>
  );
};

const names: Readonly<Record<string, string>> = texts.keys.names;

const KeyDialog = ({ onClose }: Readonly<{ onClose(): void }>) => {
  const isOn = useStore(singleKeys);
  return (
    <Dialog title={texts.keys.title} onClose={onClose}>
      <dl class="keys">
        {boundKeys().map(({ key, or, text }) => (
          <div key={key}>
            <dt>
              {[...key.split(/\+(?=.)/), ...(or ? [or] : [])].map((part) => (
                <kbd key={part}>{names[part] ?? part}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" checked={isOn} onChange={turnSingleKeys} /> {texts.keys.single}
      </label>
    </Dialog>
  );
};
