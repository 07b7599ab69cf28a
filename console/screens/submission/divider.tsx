import { useState } from 'preact/hooks';
import { keep, kept } from '../../app/storage.ts';
import { texts } from '../../texts.ts';

const NAME = 'intake.divider';
const [LEAST, MOST, STEP] = [30, 75, 2];
const USUAL = 58;

const within = (share: number): number => Math.min(MOST, Math.max(LEAST, Math.round(share)));

/** The share of the document beside the fields, in percent, which the browser keeps. */
export const useShare = () => {
  const [share, setShare] = useState(() => within(Number(kept(NAME) ?? USUAL) || USUAL));
  const change = (next: number): void => {
    const now = within(next);
    keep(NAME, String(now));
    setShare(now);
  };
  return { share, change };
};

type DividerProps = ReturnType<typeof useShare>;

/** What divides the document from the fields: it is moved by pointer, or by arrows. */
export const Divider = ({ share, change }: DividerProps) => {
  const move = (event: PointerEvent & Readonly<{ currentTarget: HTMLElement }>): void => {
    const { currentTarget: own } = event;
    const around = own.parentElement?.getBoundingClientRect();
    if (around && own.hasPointerCapture(event.pointerId))
      change((100 * (event.clientX - around.left)) / around.width);
  };
  const press = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    change(share + by);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line across the page can't be moved
    <div
      class="divider"
      role="separator"
      tabIndex={0}
      aria-label={texts.document.divider}
      aria-orientation="vertical"
      aria-valuenow={share}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={move}
    />
  );
};
