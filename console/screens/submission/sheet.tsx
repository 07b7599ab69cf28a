import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { asText, certainty, type Field } from './fields.ts';
import type { View } from './viewing.ts';

/** The place for pages, in pixels. */
export type Room = Readonly<{ width: number; height: number }>;

type SheetProps = Readonly<{
  /** Null while it is read. */
  picture: string | null;
  /** What a person who can't see it is told. */
  alternative: string;
  /** Its height by its width, until the picture tells. */
  ratio: number;
  fields: readonly Field[];
  active: string | null;
  view: View;
  isCurrent: boolean;
  room: Room;
  onActive(name: string | null): void;
  onChosen(name: string): void;
}>;

/** A picture of a page with its boxes, of the size that was chosen, whichever way it is turned. */
export const Sheet = (props: SheetProps) => {
  const { picture, alternative, fields, active, view, room, onActive, onChosen } = props;
  const [ratio, setRatio] = useState(props.ratio);
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
        class="sheet"
        style={{
          ...{ width: `${width}px`, height: `${height}px` },
          transform: `translate(-50%, -50%) rotate(${turn}deg)`,
        }}
      >
        {picture && <img src={picture} alt={alternative} draggable={false} onLoad={measured} />}
        {fields.map((field) => (
          <BoxMark key={field.name} {...{ field, onActive, onChosen }} isActive={field.name === active} />
        ))}
      </div>
    </div>
  );
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
