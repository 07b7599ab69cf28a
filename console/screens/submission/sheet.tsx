import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { asText, certainty, type Field } from './fields.ts';

type SheetProps = Readonly<{
  picture: string;
  /** What a person who can't see it is told. */
  alternative: string;
  fields: readonly Field[];
  active: string | null;
  zoom: number;
  /** In degrees, clockwise. */
  turn: number;
  onActive(name: string | null): void;
  onChosen(name: string): void;
}>;

/** A picture of a page with its boxes, as wide as its place times `zoom`, whichever way it is turned. */
export const Sheet = (props: SheetProps) => {
  const { picture, alternative, fields, active, zoom, turn, onActive, onChosen } = props;
  const frame = useRef<HTMLDivElement>(null);
  const room = useRoom(frame);
  const [ratio, setRatio] = useState(1.4);
  useEffect(() => {
    show(frame.current?.querySelector('.active'));
  }, [active, zoom, room, picture]);
  const isTurned = turn % 180 !== 0;
  const shownWidth = (room - 2) * zoom;
  const width = isTurned ? shownWidth / ratio : shownWidth;
  const height = width * ratio;
  const across = { width: `${width}px`, height: `${height}px` };
  const measured = ({ currentTarget: image }: Readonly<{ currentTarget: HTMLImageElement }>): void =>
    setRatio(image.naturalHeight / image.naturalWidth);
  return (
    <div
      ref={frame}
      class="frame"
      style={{ width: `${shownWidth}px`, height: `${isTurned ? width : height}px` }}
    >
      <div class="sheet" style={{ ...across, transform: `translate(-50%, -50%) rotate(${turn}deg)` }}>
        <img src={picture} alt={alternative} onLoad={measured} />
        {fields.map((field) => (
          <BoxMark key={field.name} {...{ field, onActive, onChosen }} isActive={field.name === active} />
        ))}
      </div>
    </div>
  );
};

/**
 * Scrolls the document to a box of it, and nothing else: the fields that are pointed at stay where they are.
 */
const show = (box: Element | null | undefined): void => {
  const region = box?.closest('.page');
  if (!box || !region) return;
  const [inner, outer] = [box.getBoundingClientRect(), region.getBoundingClientRect()];
  const isIn =
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom &&
    inner.left >= outer.left &&
    inner.right <= outer.right;
  if (isIn) return;
  region.scrollBy(
    inner.left + inner.width / 2 - outer.left - outer.width / 2,
    inner.top + inner.height / 2 - outer.top - outer.height / 2,
  );
};

/** How wide the element around one is, in pixels. */
const useRoom = (inner: Readonly<{ current: HTMLElement | null }>): number => {
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const parent = inner.current?.parentElement;
    if (!parent) return;
    const observer = new ResizeObserver(() => setRoom(parent.clientWidth));
    observer.observe(parent);
    return () => observer.disconnect();
  }, []);
  return room;
};

type BoxProps = Pick<SheetProps, 'onActive' | 'onChosen'> & Readonly<{ field: Field; isActive: boolean }>;

/**
 * What is read in a PDF's text ends at the baseline: letters reach below it, by this share of their height.
 */
const DESCENT = 0.22;

/** The box of a value. By key its field is the way to it. */
const BoxMark = ({ field, isActive, onActive, onChosen }: BoxProps) => {
  const { name, label, value, place } = field;
  if (!place?.box || !place.size) return null;
  const { box, size } = place;
  const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`;
  const style = {
    left: percent(box.left, size.width),
    top: percent(box.top, size.height),
    width: percent(box.right - box.left, size.width),
    height: percent(box.bottom - box.top, size.height),
    paddingBottom: percent(Math.min(DESCENT * (box.bottom - box.top), size.width / 100), size.width),
  };
  return (
    <Button
      tabIndex={-1}
      class={`box ${certainty(field)} ${isActive ? 'active' : ''}`}
      style={style}
      aria-label={`${label}: ${asText(value)}`}
      title={label}
      onMouseEnter={() => onActive(name)}
      onMouseLeave={() => onActive(null)}
      onClick={() => onChosen(name)}
    />
  );
};
