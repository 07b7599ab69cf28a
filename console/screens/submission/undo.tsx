import { useKeys } from '../../app/keys.ts';
import { navigate, place } from '../../app/router.ts';
import { useStore } from '../../app/store.ts';
import { Button } from '../../parts/button.tsx';
import { say, texts } from '../../texts.ts';
import { outbox, undo } from './outbox.ts';

const own = texts.undo;

/** The decision that can be taken back, and those that were refused after the person had gone on. */
export const Undo = () => {
  const { path } = useStore(place);
  const entries = useStore(outbox);
  const held = entries.find(({ state }) => state === 'held');
  const refused = entries.filter(
    ({ state, isOpened, id }) => state === 'refused' && !isOpened && path !== `/submissions/${id}`,
  );
  const last = refused.at(-1);
  const open = { key: 'z', text: own.openKey, run: () => last && navigate(last.href) };
  useKeys(held ? [{ key: 'z', text: own.key, run: undo }] : last ? [open] : []);
  return (
    <>
      <div role="status">
        {held && (
          <p key={held.key}>
            {held.said} <Button onClick={undo}>{own.undo}</Button>
          </p>
        )}
      </div>
      <div role="alert">
        {refused.map(({ key, said, href, problem }) => (
          <p key={key}>
            {say(own.refused, { said, detail: problem?.detail ?? '' })}{' '}
            <Button onClick={() => navigate(href)}>{own.open}</Button>
          </p>
        ))}
      </div>
    </>
  );
};
