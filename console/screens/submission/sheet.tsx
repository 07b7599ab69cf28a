import { useLayoutEffect, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { type Box, certainty, type Field, shownAs } from './fields.ts';
import type { Words } from './pages.ts';
import { scrollToBox } from './scrolling.ts';
import type { View } from './viewing.ts';
import { type PageAt, percent, placeOn, type Take, useTaking, WordMarks } from './words.tsx';

/** The place for pages, in pixels. */
export type Room = Readonly<{ width: number; height: number }>;

/** How large the inside of an element is, in pixels. */
export const useRoom = (inner: Readonly<{ current: HTMLElement | null }>): Room => {
  const [room, setRoom] = useState<Room>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = inner.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setRoom({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return room;
};

type SheetProps = Readonly<{
  /** Null while it is read. */
  picture: string | null;
  /** What a person who can't see it is told. */
  alternative: string;
  /** Which page of which file it is. */
  at: PageAt;
  words: Words;
  /** Takes words for the field with the focus; null where none does. */
  take: Take | null;
  /** Where a person is who goes over the words by key. */
  walked: Box | null;
  focused: string | null;
  fields: readonly Field[];
  active: string | null;
  view: Pick<View, 'size' | 'turn' | 'drawn'>;
  isCurrent: boolean;
  room: Room;
  onActive(name: string | null): void;
  onChosen(name: string): void;
}>;

/** A picture of a page with its boxes, of the size that was chosen, whichever way it is turned. */
export const Sheet = (props: SheetProps) => {
  const { picture, alternative, fields, active, view, room, at, words, take, walked, onActive, onChosen } =
    props;
  // Until the picture tells.
  const [ratio, setRatio] = useState(at.size.height / at.size.width);
  const { reach, ...taking } = useTaking(at, words, take);
  const { size, turn, drawn } = view;
  const isTurned = turn % 180 !== 0;
  const shape = isTurned ? 1 / ratio : ratio;
  const whole = room.height / (room.width * shape || 1);
  const zoom = size === 'width' ? 1 : size === 'height' ? whole : size;
  if (props.isCurrent) drawn.current = zoom;
  const [across, down] = [room.width * zoom, room.width * zoom * shape];
  const [width, height] = isTurned ? [down, across] : [across, down];
  const measured = ({ currentTarget: image }: Readonly<{ currentTarget: HTMLImageElement }>): void =>
    setRatio(image.naturalHeight / image.naturalWidth);
  return (
    <div class="frame" style={{ width: `${across}px`, height: `${down}px` }}>
      <div
        {...taking}
        class={take ? 'sheet taking' : 'sheet'}
        style={{
          ...{ width: `${width}px`, height: `${height}px` },
          transform: `translate(-50%, -50%) rotate(${turn}deg)`,
        }}
      >
        {picture && <img src={picture} alt={alternative} draggable={false} onLoad={measured} />}
        <WordMarks words={words} size={at.size} />
        {fields.map((field) => (
          <BoxMark
            key={field.name}
            {...{ field, onActive, onChosen }}
            isActive={field.name === active}
            isOpen={field.name === props.focused}
          />
        ))}
        {reach && <div class="reach" style={placeOn(reach, at.size)} />}
        {walked && (
          <div
            key={Object.values(walked).join()}
            ref={scrollToBox}
            class="reach walked"
            style={placeOn(walked, at.size)}
          />
        )}
      </div>
    </div>
  );
};

type BoxProps = Pick<SheetProps, 'onActive' | 'onChosen'> &
  Readonly<{ field: Field; isActive: boolean; isOpen: boolean }>;

/**
 * What is read in a PDF's text ends at the baseline: letters reach below it, by this share of their height.
 */
const DESCENT = 0.22;

/** The box of a value. By key its field is the way to it. `isOpen`: the words in it can be taken. */
const BoxMark = ({ field, isActive, isOpen, onActive, onChosen }: BoxProps) => {
  const { name, label, value, place } = field;
  if (!place?.box || !place.size) return null;
  const { box, size } = place;
  const style = {
    ...placeOn(box, size),
    ...(isOpen && { pointerEvents: 'none' as const }),
    paddingBottom: percent(Math.min(DESCENT * (box.bottom - box.top), size.width / 100), size.width),
  };
  return (
    <Button
      tabIndex={-1}
      class={`box ${certainty(field)} ${isActive ? 'active' : ''}`}
      style={style}
      aria-label={`${label}: ${shownAs(value)}`}
      title={label}
      onMouseEnter={() => onActive(name)}
      onMouseLeave={() => onActive(null)}
      onClick={() => onChosen(name)}
    />
  );
};

/** A text with what was found in it marked, once. */
export const TextSheet = ({ text, found }: Readonly<{ text: string; found: string | null }>) => {
  const at = found ? text.indexOf(found) : -1;
  if (!found || at < 0) return <pre>{text}</pre>;
  return (
    <pre>
      {text.slice(0, at)}
      <mark>{found}</mark>
      {text.slice(at + found.length)}
    </pre>
  );
};
